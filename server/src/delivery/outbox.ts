// The development outbox: where messages go while no gateway is configured, shown by the API and in the terminal.
import type { Channel, Means } from './channel.ts';

/** Name of the channel; in production the service does not start with it. */
export const OUTBOX = 'outbox';

/** @param print writes to the terminal. Not to the log: messages hold pins, and logs are kept. */
export function createOutboxChannel(means: Means, print: (text: string) => void): Channel {
  return {
    name: OUTBOX,
    means,
    async send({ to, subject, text }) {
      const lines = [...(subject === undefined ? [] : [subject, '']), ...text.trimEnd().split('\n')];
      print(`\n  ${means === 'sms' ? 'SMS' : 'E-mail'} to ${to}\n${lines.map((line) => `  | ${line}`).join('\n')}\n\n`);
    },
  };
}
