import { expect, test } from 'vitest';
import { sumDisks, sumNetwork } from './machine.ts';

test('bytes of disks are counted once: without their partitions and without devices on top of them', () => {
  const text = `   7       0 loop0 1 0 99 0 1 0 99 0 0 0 0
   8       0 sda 10 0 100 5 20 0 200 6 0 0 0
   8       1 sda1 10 0 100 5 20 0 200 6 0 0 0
 253       0 dm-0 10 0 100 5 20 0 200 6 0 0 0
 259       0 nvme0n1 1 0 2 5 1 0 3 6 0 0 0
 259       1 nvme0n1p1 1 0 2 5 1 0 3 6 0 0 0
`;
  expect(sumDisks(text)).toEqual({ read_bytes: 102 * 512, write_bytes: 203 * 512 });
});

test('bytes of the network are those of all interfaces but the loopback one', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 500 3 0 0 0 0 0 0 500 3 0 0 0 0 0 0
  eth0:1000 3 0 0 0 0 0 0 70 3 0 0 0 0 0 0
  eth1: 20 3 0 0 0 0 0 0 5 3 0 0 0 0 0 0
`;
  expect(sumNetwork(text)).toEqual({ rx_bytes: 1020, tx_bytes: 75 });
});
