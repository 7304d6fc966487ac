#!/bin/sh
# Installs the agent of the catalog at @URL@. Options:
#   -t TOKEN   enrolment token
#   -r FOLDER  a folder to report; may be repeated
#   -n NAME    name of this machine in the catalog
#   -k SHA256  fingerprint of the key that signs releases, `key_fingerprint` of GET @URL@/api/v1/agent-dist
#   -d         download and verify only
set -eu
url='@URL@'
token='' name='' key='' only=0 roots=''
while getopts 't:r:n:k:d' option; do
  case "$option" in
    t) token=$OPTARG ;;
    r) roots="$roots$OPTARG
" ;;
    n) name=$OPTARG ;;
    k) key=$OPTARG ;;
    d) only=1 ;;
    *) exit 2 ;;
  esac
done
fail() { echo "$1" >&2; exit 1; }

case "$(uname -s)" in
  Linux) os=linux ;;
  Darwin) os=macos ;;
  *) fail 'This system is not supported. Use install.ps1 on Windows.' ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "There is no program for $(uname -m)." ;;
esac
program="catalog-agent-$os-$arch"
[ "$only" = 1 ] || [ -n "$token" ] || fail 'Give an enrolment token with -t.'
[ "$only" = 1 ] || [ -n "$roots" ] || fail 'Give at least one folder with -r.'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
get() { curl -fsS --proto '=https,http' -o "$work/$1" "$url/api/v1/agent-dist/$1" || fail "$1 cannot be downloaded from $url."; }
for file in SHA256SUMS SHA256SUMS.sig release-key.pem "$program"; do get "$file"; done

# The key is trusted because of its fingerprint, or because of the address above.
if [ -n "$key" ]; then
  found=$(openssl pkey -pubin -in "$work/release-key.pem" -outform DER | openssl dgst -sha256 -r | cut -c1-64)
  [ "$found" = "$key" ] || fail "The key that signs releases has the fingerprint $found, not the expected one. Nothing was installed."
fi
openssl base64 -d -A -in "$work/SHA256SUMS.sig" -out "$work/signature" 2>/dev/null || fail 'The signature of the checksums cannot be read.'
openssl pkeyutl -verify -pubin -inkey "$work/release-key.pem" -rawin -in "$work/SHA256SUMS" -sigfile "$work/signature" >/dev/null 2>&1 ||
  fail 'The checksums are not signed by the key of the catalog (this needs OpenSSL 3). Nothing was installed.'
expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $program\$/\1/p" "$work/SHA256SUMS")
actual=$(openssl dgst -sha256 -r "$work/$program" | cut -c1-64)
[ -n "$expected" ] && [ "$expected" = "$actual" ] || fail "The downloaded program does not have the signed checksum. Nothing was installed."
chmod 755 "$work/$program"
if [ "$only" = 1 ]; then
  mv "$work/$program" "./$program"
  echo "Verified: ./$program"
  exit 0
fi

[ "$(id -u)" = 0 ] || fail 'Run this as root, or use -d to download only.'
folder=/usr/local/bin
install -m 755 "$work/$program" "$folder/catalog-agent"
data=/var/lib/catalog-agent
[ "$os" = linux ] || data='/Library/Application Support/Catalog Agent'
set -- enrol --url "$url" --token "$token" --data-dir "$data"
[ -z "$name" ] || set -- "$@" --name "$name"
while IFS= read -r root; do
  [ -z "$root" ] || set -- "$@" --root "$root"
done <<ROOTS
$roots
ROOTS
"$folder/catalog-agent" "$@"
"$folder/catalog-agent" install-service --data-dir "$data"
