class Applyguard < Formula
  desc "Checks and explains who owns the fields of Kubernetes objects"
  homepage "https://example.com/repository"
  version "$version"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://example.com/repository/releases/download/v$version/applyguard-darwin-arm64.tar.gz"
      sha256 "$applyguard_darwin_arm64"
    end
    on_intel do
      url "https://example.com/repository/releases/download/v$version/applyguard-darwin-amd64.tar.gz"
      sha256 "$applyguard_darwin_amd64"
    end
  end

  on_linux do
    on_arm do
      url "https://example.com/repository/releases/download/v$version/applyguard-linux-arm64.tar.gz"
      sha256 "$applyguard_linux_arm64"
    end
    on_intel do
      url "https://example.com/repository/releases/download/v$version/applyguard-linux-amd64.tar.gz"
      sha256 "$applyguard_linux_amd64"
    end
  end

  def install
    bin.install "applyguard"
    bin.install_symlink bin/"applyguard" => "kubectl-applyguard"
    bin.install "completion/kubectl_complete-applyguard"
    man1.install "applyguard.1"
    bash_completion.install "completion/applyguard.bash" => "applyguard"
    zsh_completion.install "completion/applyguard.zsh" => "_applyguard"
    fish_completion.install "completion/applyguard.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/applyguard version")
  end
end
