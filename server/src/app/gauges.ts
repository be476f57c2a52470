// The gauges: the state of the service that operators monitor, read at each scrape.
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import type { FailureLog } from '../http/failure-log.ts';
import type { Sample, ServiceGauge } from '../http/metrics.ts';
import type { Service } from './compose.ts';
import { countEntries, LOG_ENTRIES } from './log.ts';

/** Returns one sample for each number of a record, with its name as a label. */
const byLabel = (
  label: string,
  numbers: Readonly<Record<string, number>>,
  more: Record<string, string> = {},
): Sample[] => Object.entries(numbers).map(([name, value]) => ({ labels: { ...more, [label]: name }, value }));

export type GaugesDeps = {
  /** The server whose connections are counted. */
  readonly app: FastifyInstance;
  readonly log: Logger;
  readonly failureLog: FailureLog;
  readonly clock: Clock;
  readonly version: string;
};

/** @param milliseconds undefined if there is nothing to show. */
const toSeconds = (milliseconds: number | undefined): Sample[] =>
  milliseconds === undefined ? [] : [{ value: milliseconds / 1000 }];

export function createGauges(
  service: Service,
  { app, log, failureLog, clock, version }: GaugesDeps,
): readonly ServiceGauge[] {
  const { database, passwords, answerHashing, messageDispatcher, keys, settings, feed, auditFeed, webhooks } = service;

  async function timePing(): Promise<number> {
    const start = clock.elapsed();
    await database.ping();
    return (clock.elapsed() - start) / 1000;
  }

  return [
    {
      name: 'latchkey_info',
      help: 'Always 1. The labels show the version of the program and the kind of database.',
      labels: ['version', 'store'],
      ofWorkers: 'max',
      read: () => [{ labels: { version, store: database.engine }, value: 1 }],
    },
    {
      name: 'latchkey_workers',
      help: 'Processes of this node that serve.',
      read: () => [{ value: 1 }],
    },
    {
      name: 'latchkey_database_up',
      help: 'Whether the database answers: 1 or 0.',
      ofWorkers: 'min',
      read: async () => [
        {
          value: await timePing().then(
            () => 1,
            () => 0,
          ),
        },
      ],
    },
    {
      name: 'latchkey_database_answer_seconds',
      help: 'How long the database takes to answer a trivial query, the wait for a connection included.',
      ofWorkers: 'max',
      read: async () => [{ value: await timePing() }],
    },
    {
      name: 'latchkey_database_connections',
      help: 'Connections to PostgreSQL that are busy or idle, and callers waiting for one.',
      labels: ['state'],
      read: () => byLabel('state', database.connections() ?? {}),
    },
    {
      name: 'latchkey_hashes',
      help: 'Hashes of passwords, and of answers to security questions, being computed or waiting for a thread.',
      labels: ['of', 'state'],
      read: () => [
        ...byLabel('state', passwords.load(), { of: 'passwords' }),
        ...byLabel('state', answerHashing.load(), { of: 'answers' }),
      ],
    },
    {
      name: 'latchkey_messages_queued',
      help: 'Messages waiting to be sent, of all nodes together.',
      labels: ['means'],
      ofWorkers: 'max',
      read: async () =>
        (await messageDispatcher.backlog()).map(({ means, count }) => ({ labels: { means }, value: count })),
    },
    {
      name: 'latchkey_messages_oldest_seconds',
      help: 'How long the oldest message has been waiting to be sent.',
      labels: ['means'],
      ofWorkers: 'max',
      read: async () =>
        (await messageDispatcher.backlog()).map(({ means, oldestSeconds }) => ({
          labels: { means },
          value: oldestSeconds,
        })),
    },
    {
      name: 'latchkey_webhook_events_queued',
      help: 'Events waiting to be sent to webhooks, of all nodes together, as counted every 10 seconds.',
      labels: ['state'],
      ofWorkers: 'max',
      read: () => byLabel('state', webhooks.backlog()),
    },
    {
      name: 'latchkey_http_connections',
      help: 'Open connections of clients.',
      read: () =>
        new Promise<Sample[]>((resolve, reject) => {
          app.server.getConnections((error, value) => (error ? reject(error) : resolve([{ value }])));
        }),
    },
    {
      name: 'latchkey_refusals_total',
      help: 'Requests refused because of load (503), a limit (429) or a failure of a provider a moment ago (502), by reason.',
      labels: ['reason'],
      read: () => byLabel('reason', Object.fromEntries(failureLog.refusals())),
    },
    {
      name: 'latchkey_signing_key_seconds',
      help: 'How long the present key has been signing tokens.',
      ofWorkers: 'max',
      read: () => [{ value: keys.signingSeconds() }],
    },
    {
      name: 'latchkey_feed_listeners',
      help: 'Verifiers that follow the revocation feed on this node, by a stream or a waiting request.',
      read: () => [{ value: feed.state().followers }],
    },
    {
      name: 'latchkey_feed_age_seconds',
      help: 'How long ago this node last read all revocations for them. It grows while the database does not answer.',
      ofWorkers: 'max',
      read: () => toSeconds(feed.state().age),
    },
    {
      name: 'latchkey_audit_feed_listeners',
      help: 'Collectors that follow the audit feed on this node, by a stream or a waiting request.',
      read: () => [{ value: auditFeed.state().followers }],
    },
    {
      name: 'latchkey_audit_feed_age_seconds',
      help: 'How long ago this node last read all entries for them. It grows while the database does not answer.',
      ofWorkers: 'max',
      read: () => toSeconds(auditFeed.state().age),
    },
    {
      name: 'latchkey_bad_settings',
      help: 'Stored settings that are out of bounds. Their last good value stays in force.',
      ofWorkers: 'max',
      read: () => [{ value: settings.badValues() }],
    },
    {
      ...LOG_ENTRIES,
      labels: ['level'],
      read: () => byLabel('level', Object.fromEntries(countEntries(log))),
    },
  ];
}
