"""plugins.py: the manifest of the plugin for Krew, and the formula for Homebrew, with the sums of the archives.

.krew.yaml at the top is a template for krew-release-bot, packaging/applyguard.rb one of ours.
"""

import re
import string

from facts import ROOT

BOT_SUM = re.compile(r'\{\{addURIAndSha "([^"]*/)([^"/]+)" \.TagName \}\}')


def krew_manifest(version, sums):
    """As krew-release-bot fills the template in."""
    text = (ROOT / ".krew.yaml").read_text()
    text = re.sub(r"\A(#.*\n)+", "", text)
    text = BOT_SUM.sub(lambda found: f"uri: {found[1]}{found[2]}\n    sha256: {sums[found[2]]}", text)
    return text.replace("{{ .TagName }}", f"v{version}")


def homebrew_formula(version, sums):
    names = {re.sub(r"\W", "_", name.removesuffix(".tar.gz")): digest for name, digest in sums.items() if name.endswith(".tar.gz")}
    return string.Template((ROOT / "packaging/applyguard.rb").read_text()).substitute(names, version=version)


