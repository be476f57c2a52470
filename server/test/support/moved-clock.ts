// Preloaded into a process, moves its clock by the number of seconds in the file that LATCHKEY_TEST_CLOCK names.
import { readFileSync, writeFileSync } from 'node:fs';

const LOOK_MS = 10;
const file = process.env.LATCHKEY_TEST_CLOCK as string;
const { now } = Date;
let seconds = 0;

Date.now = () => now() + seconds * 1000;

setInterval(() => {
  const text = readFileSync(file, 'utf8');
  const wanted = Number(text);
  // The file is empty for a moment while it is being written.
  if (text === '' || wanted === seconds) return;
  seconds = wanted;
  writeFileSync(`${file}.seen`, String(seconds));
}, LOOK_MS).unref();
