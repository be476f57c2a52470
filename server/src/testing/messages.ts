// The messages of a test server: kept instead of sent, with the pin and the link that a person would read in them.
import { nameKey } from '../accounts/index.ts';
import type { Channels } from '../app/channels.ts';
import { type Channel, createOutboxChannel } from '../delivery/index.ts';
import { requestErrors } from '../foundation/errors.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Random } from '../foundation/random.ts';
import { type DrawPin, generatePin, readPin } from '../proofs/index.ts';

/** A message as its recipient reads it. */
export type KeptMessage = {
  readonly means: Medium;
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  /** '' without one. */
  readonly pin: string;
  readonly link: string;
};

export interface Mailbox {
  readonly channels: Channels;
  readonly drawPin: DrawPin;
  /** Returns the newest message to this address. @throws AuthError `request.notFound` if there is none. */
  last(address: string): KeptMessage;
}

/** The newest messages that are kept. */
const MOST = 10_000;

/** @param fixedPin what every pin is, wherever the settings allow this form. */
export function createMailbox(random: Random, fixedPin: string | undefined): Mailbox {
  const kept: KeptMessage[] = [];
  const pins: string[] = [];

  const keeping = (means: Medium): Channel => ({
    ...createOutboxChannel(means, () => {}),
    async send({ to, subject = null, text, html = null }) {
      const pin = pins.findLast((one) => includesWord(text, one)) ?? '';
      const [link = ''] = /https?:\/\/[^\s<>"]+/.exec(text) ?? [];
      kept.push({ means, to, subject, text, html, pin, link });
      if (kept.length > MOST) kept.shift();
    },
  });

  return {
    channels: { email: keeping('email'), sms: keeping('sms') },
    drawPin(form) {
      const pin = fixedPin !== undefined && readPin(fixedPin, form) === fixedPin ? fixedPin : generatePin(random, form);
      if (!pins.includes(pin)) pins.push(pin);
      if (pins.length > MOST) pins.shift();
      return pin;
    },
    last(address) {
      const found = kept.findLast(({ to }) => nameKey(to) === nameKey(address));
      if (found) return found;
      throw requestErrors.notFound({ details: `No message was sent to ${address}. ${describe(kept)}` });
    },
  };
}

function describe(kept: readonly KeptMessage[]) {
  const addresses = [...new Set(kept.map(({ to }) => to))];
  return addresses.length === 0 ? 'No message was sent at all.' : `There are messages to: ${addresses.join(', ')}.`;
}

const includesWord = (text: string, word: string) => text.split(/[^\p{L}\p{N}]+/u).includes(word);
