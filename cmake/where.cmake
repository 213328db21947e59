# Where people find applyguard. Nothing has an owner yet, so all are empty: the program's output then has no link, and files that
# cannot do without an address have a placeholder of example.com. Set a value here, and run `python3 cmake/where.py --write`: it
# puts the value in the place of each placeholder. Without --write it prints what is still empty, and which files wait for it.

set(APPLYGUARD_OWNER "" CACHE STRING "The GitHub user or organisation, such as octocat")
set(APPLYGUARD_REPOSITORY "" CACHE STRING "The repository, such as https://github.com/octocat/applyguard")
set(APPLYGUARD_SITE "" CACHE STRING "The site that ./dev site builds, with a slash at its end")
set(APPLYGUARD_REGISTRY "" CACHE STRING "The registry's path of image and chart, such as ghcr.io/octocat")
set(APPLYGUARD_CONTACT "" CACHE STRING "The mail address of the maintainers")
set(APPLYGUARD_SIGN_KEY "" CACHE STRING "The fingerprint of the PGP key that signs the chart's provenance file")
