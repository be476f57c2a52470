#!/bin/sh
# Boots systemd as process 1 of new namespaces, on a copy of this machine's root that is gone afterwards.
# The folder $1 is empty. The files below the folder $2 are added to the root.
set -eu
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cp -a "$2/." "$1/root/"
cd "$1/root"
chmod 755 .
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs tmpfs dev
cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty dev/
mkdir dev/pts dev/shm
mount -t devpts devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm

# Nothing runs but the journal and what the test starts: the kernel is that of this machine.
for wanted in lib/systemd/system/*.target.wants/* etc/systemd/system/*.wants/*; do
  case $wanted in
    *journald*audit* | *journal-flush*) rm -f "$wanted" ;;
    *journald*) ;;
    *) rm -f "$wanted" ;;
  esac
done
mkdir -p etc/systemd/journald.conf.d
printf '[Journal]\nStorage=volatile\nReadKMsg=no\nAudit=no\n' >etc/systemd/journald.conf.d/test.conf

mkdir former-root
pivot_root . former-root
umount -l /former-root
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=basic.target --log-target=journal --show-status=0
