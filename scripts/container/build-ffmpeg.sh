#!/bin/sh
# Builds the ffmpeg and ffprobe of the container image from Debian's source, with its security patches: every decoder, but no network, no
# devices and no other encoder than the one for thumbnails. Debian's own package needs 230 MB of libraries that reading files never uses.
set -eu
if [ -f /etc/apt/sources.list.d/debian.sources ]; then
  sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources
else
  sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > /etc/apt/sources.list.d/source.list
fi
apt-get update
apt-get install -y --no-install-recommends dpkg-dev gcc libc6-dev make nasm pkg-config libbz2-dev libdav1d-dev libjxl-dev liblzma-dev zlib1g-dev
mkdir /build && cd /build
apt-get source ffmpeg
cd ffmpeg-*/
./configure --disable-autodetect --disable-debug --disable-doc --disable-ffplay \
  --disable-network --disable-devices --disable-hwaccels --disable-protocols --enable-protocol=file,pipe \
  --enable-bzlib --enable-libdav1d --enable-libjxl --enable-lzma --enable-zlib \
  --disable-encoders --enable-encoder=png --disable-muxers --enable-muxer=image2pipe \
  --disable-filters --enable-filter=aformat,anull,aresample,atrim,copy,format,hflip,null,rotate,scale,setpts,transpose,trim,vflip
make -j"$(nproc)" ffmpeg ffprobe
mkdir -p /ffmpeg/bin /ffmpeg/share/doc/ffmpeg
cp ffmpeg ffprobe /ffmpeg/bin/
cp COPYING.LGPLv2.1 /ffmpeg/share/doc/ffmpeg/
