# shellcheck shell=bash
# Functions that install programs and packages, for the scripts of this folder and the Makefile. They do nothing if the
# same version is installed, and run in the folder of the project.

# install_npm FOLDER…: installs the npm packages of each folder from its lock file.
install_npm() {
  local folder
  for folder; do
    [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] ||
      npm --prefix "$folder" ci --no-audit --no-fund || return
  done
}

# install_cargo NAME VERSION: installs a program from crates.io into target/tools/bin.
install_cargo() {
  "target/tools/bin/$1" --version 2>/dev/null | grep -qwF "$2" ||
    cargo install --quiet --locked --root target/tools "$1@$2"
}

# install_debian PACKAGE…: installs packages of Debian. Prints SKIPPED for other systems and users.
install_debian() {
  if [ "$(id -u)" != 0 ] || [ ! -e /etc/debian_version ]; then
    echo "SKIPPED: $* cannot be installed by this user or on this system"
    return
  fi
  apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
}

# install_promtool: unpacks promtool from the package of Debian, without the server and its service. Prints SKIPPED elsewhere.
install_promtool() {
  [ -x target/tools/bin/promtool ] || command -v promtool && return
  local folder=target/tools/prometheus
  mkdir -p "$folder" target/tools/bin
  if ! (cd "$folder" && apt-get download prometheus && dpkg -x prometheus_*.deb .); then
    echo "SKIPPED: promtool cannot be downloaded on this system"
    return
  fi
  mv "$folder/usr/bin/promtool" target/tools/bin/ && rm -r "$folder"
}

# install_python FOLDER REQUIREMENTS: installs Python packages from a file into a virtual environment.
install_python() {
  cmp --silent "$2" "$1/installed" && return
  if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'; then
    echo "SKIPPED: Python 3.10 or newer with venv and pip is not installed"
    return
  fi
  python3 -m venv --clear "$1" &&
    "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2" &&
    cp "$2" "$1/installed"
}
