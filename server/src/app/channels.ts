// The channels of a service: those of extensions, else those of the environment, else the development outbox. Either means may be off.
import { CHANNEL_VARIABLES, type Environment, EnvironmentError } from '../config/environment.ts';
import {
  type Channel,
  createOffChannel,
  createOutboxChannel,
  createSmsGateway,
  createSmtpChannel,
  OFF,
} from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Trace } from '../foundation/trace.ts';

export type Channels = Readonly<Record<Medium, Channel>>;

/** What the environment says of the means of delivery. */
type Configured = Partial<Pick<Environment, 'smtp' | 'sms'>>;

/** Returns channels that only print messages, or for a means that is off, refuse them. */
export function outboxChannels(print: (text: string) => void, { smtp, sms }: Configured = {}): Channels {
  return {
    email: smtp === OFF ? createOffChannel('email') : createOutboxChannel('email', print),
    sms: sms === OFF ? createOffChannel('sms') : createOutboxChannel('sms', print),
  };
}

/**
 * @param registered the channels of extensions, which take precedence over the environment's.
 * @throws EnvironmentError if an extension sends messages by a means that is off.
 */
export function openChannels(
  { smtp, sms }: Configured,
  registered: Partial<Channels>,
  { clock, print }: { clock: Clock; print: (text: string) => void },
): Channels {
  const configured = { email: smtp, sms };
  for (const { means, name } of Object.values(registered)) {
    if (configured[means] !== OFF) continue;
    const problem = `is ${OFF}, but the extension with the channel "${name}" sends such messages: remove one of them.`;
    throw new EnvironmentError(CHANNEL_VARIABLES[means], problem);
  }
  return {
    ...outboxChannels(print, { smtp, sms }),
    ...(smtp && smtp !== OFF && { email: createSmtpChannel(smtp) }),
    ...(sms && sms !== OFF && { sms: createSmsGateway({ ...sms, clock }) }),
    ...registered,
  };
}

/** Returns the channels with each message traced. */
export function traceChannels({ email, sms }: Channels, trace: Trace): Channels {
  return { email: traceChannel(email, trace), sms: traceChannel(sms, trace) };
}

function traceChannel(channel: Channel, trace: Trace): Channel {
  const { name, means } = channel;
  // An extension's channel may be an instance of a class, whose methods a copy would lose.
  const plain: Channel = {
    name,
    means,
    send: (message, options) => channel.send(message, options),
    close: () => channel.close?.(),
  };
  return trace(plain, { send: `send ${means} by ${name}` }, 'outgoing');
}
