// The channels of a service: those of extensions, else those of the environment, else the development outbox.
import type { Environment } from '../config/environment.ts';
import {
  type Channel,
  createOutboxChannel,
  createSmsGateway,
  createSmtpChannel,
  type Means,
} from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Trace } from '../foundation/trace.ts';

export type Channels = Readonly<Record<Means, Channel>>;

/** Returns channels that only print messages. */
export function outboxChannels(print: (text: string) => void): Channels {
  return { email: createOutboxChannel('email', print), sms: createOutboxChannel('sms', print) };
}

/** @param registered the channels of extensions, which take precedence over the environment's. */
export function openChannels(
  { smtp, sms }: Pick<Environment, 'smtp' | 'sms'>,
  registered: Partial<Channels>,
  { clock, print }: { clock: Clock; print: (text: string) => void },
): Channels {
  return {
    ...outboxChannels(print),
    ...(smtp && { email: createSmtpChannel(smtp) }),
    ...(sms && { sms: createSmsGateway({ ...sms, clock }) }),
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
