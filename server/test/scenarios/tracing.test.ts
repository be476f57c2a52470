// Tracing: a real service exports the traces of its requests to a real collector, and no secret of any person.
// Alone in its process: OpenTelemetry has one provider for each.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/app/log.ts';
import { type Clock, systemClock } from '../../src/foundation/clock.ts';
import { openTracing } from '../../src/tracing/open.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { createMigratedUrl, type Engine, enginesAtLength } from '../support/databases.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { callProcess, startProcess, type TestProcess } from '../support/process.ts';
import { pinIn, tellsPin } from '../support/registration.ts';
import { ADMIN_PASSWORD, TEST_SECRET } from '../support/service.ts';
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const SEND_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const GIVE_PIN = '/api/TokenAuth/OtpAuthenticate';
const EXTERNAL = '/api/TokenAuth/ExternalAuthenticateAsync';
const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SESSIONS = '/api/services/app/Session/GetAll';
const [REQUEST, OUTGOING] = [2, 3];
const FAILED = 2;

const CANARIES = {
  password: 'canary first plumage',
  wrong: 'canary wrong plumage',
  userName: 'goldfinch',
  name: 'Rosalind',
  surname: 'Nestling',
  email: 'finch@birds.example',
  mobile: '+27821234567',
  accessCode: 'canary-access-code',
  providerKey: 'canary-provider-key',
  inQuery: 'canaryInTheQuery',
  inPath: 'canaryInThePath',
  clientSecret: 'canary client secret',
  admin: ADMIN_PASSWORD,
  secret: TEST_SECRET,
};

/** A provider that knows one code. For any other, it throws an error with everything it received. */
const PROVIDER = `
import { ExternalAuthProviderApiBase } from 'latchkey/extension';
class Birds extends ExternalAuthProviderApiBase {
  async getUserInfoAsync(code) {
    if (code !== '${CANARIES.accessCode}') throw new Error(code + this.providerInfo.clientSecret);
    const { name, surname, email, providerKey } = ${JSON.stringify(CANARIES)};
    return { provider: 'Birds', providerKey, name, surname, emailAddress: 'other-' + email };
  }
}
export function initialize({ externalAuth }) {
  const clientSecret = '${CANARIES.clientSecret}';
  externalAuth.providers.push({ name: 'Birds', clientId: 'latchkey', clientSecret, providerApiType: Birds });
}
`;

/** Prints on standard error which modules of OpenTelemetry are loaded. */
const WITNESS = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const module = next(url, context);
    // The path that OTLP prescribes is in the exporter alone.
    if (String(module.source).includes('v1/traces')) console.error('loaded ' + url);
    return module;
  },
});
`;

for (const engine of enginesAtLength) describe(`tracing on ${engine}`, () => suite(engine));

function suite(engine: Engine) {
  let collector: Collector;
  let mail: MailServer;
  let sms: SmsGateway;
  let running: TestProcess;
  let folder: string;
  let failure: { traceId: string; status: number };
  const secrets = new Map(Object.entries(CANARIES));
  let pin = '';
  const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const UNWANTED = '1af7651916cd43dd8448eb211c80319c';

  const post = (path: string, body: unknown, token?: string) =>
    callProcess(running.url, 'POST', path, { body, ...(token !== undefined && { token }) });
  const signIn = (userNameOrEmailAddress: string, password: string) =>
    post(AUTHENTICATE, { userNameOrEmailAddress, password });
  const spansOf = (name: string) => collector.spans.filter((span) => span.name === name);
  const only = (name: string, matches: (span: CollectedSpan) => boolean = () => true) => {
    const found = spansOf(name).filter(matches);
    assert.equal(found.length, 1, `${found.length} of ${name}: ${JSON.stringify(collector.spans, undefined, 1)}`);
    return found[0] as CollectedSpan;
  };
  const descendants = ({ traceId, spanId }: CollectedSpan): CollectedSpan[] =>
    collector.spans
      .filter((span) => span.traceId === traceId && span.parentSpanId === spanId)
      .flatMap((child) => [child, ...descendants(child)]);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-tracing-'));
    writeFileSync(join(folder, 'birds.mjs'), PROVIDER);
    collector = await startCollector();
    mail = await startMailServer();
    sms = await startSmsGateway();
    running = await startProcess({
      env: {
        ...(engine === 'postgres' && { LATCHKEY_DATABASE_URL: await createMigratedUrl('postgres') }),
        LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
        LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
        LATCHKEY_SECRET: TEST_SECRET,
        LATCHKEY_SMTP_URL: mail.url,
        LATCHKEY_MAIL_FROM: 'login@example.com',
        LATCHKEY_SMS_URL: sms.url,
        LATCHKEY_SMS_SECRET: TEST_SECRET,
        LATCHKEY_EXTENSIONS: join(folder, 'birds.mjs'),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=birds',
        OTEL_SERVICE_NAME: 'sign-in of birds',
      },
    });
    await sing();
    await running.stop();
  });
  after(async () => {
    await running.stop();
    await Promise.all([collector.stop(), mail.stop(), sms.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Every call that is checked below. */
  async function sing() {
    const keep = (token: string) => secrets.set(`token ${secrets.size}`, token.split('.')[2] as string);
    const admin = (await signIn('admin', CANARIES.admin)).result.accessToken as string;
    keep(admin);
    const { userName, name, surname, email: emailAddress, mobile: mobileNumber, password } = CANARIES;
    const confirmed = { isEmailConfirmed: true, isMobileConfirmed: true };
    const person = { userName, name, surname, emailAddress, mobileNumber, password, ...confirmed };
    const created = await post('/api/services/app/User/Create', person, admin);
    assert.equal(created.status, 200, JSON.stringify(created.error));
    for (const [setting, value] of [
      ['Shesha.Security', { useResetPasswordViaEmailLink: true }],
      ['Shesha.Otp', { resendCooldown: 0 }],
    ]) {
      const changed = await post('/api/services/app/Settings/UpdateValue', { name: setting, value }, admin);
      assert.equal(changed.status, 200, JSON.stringify(changed.error));
    }
    keep((await signIn(CANARIES.email, CANARIES.password)).result.accessToken);
    const refused = await signIn(CANARIES.userName, CANARIES.wrong);
    failure = { traceId: refused.error.traceId, status: refused.status };
    const { result } = await post(SEND_PIN, { userNameOrMobileNo: CANARIES.mobile });
    pin = pinIn(await sms.next());
    keep((await post(GIVE_PIN, { operationId: result.operationId, code: pin })).result.accessToken);
    await post('/api/services/app/User/SendEmailLink', { username: CANARIES.userName });
    const [, link = ''] = /&code=([\w-]+)/.exec((await mail.next()).text) ?? [];
    secrets.set('link', link);
    const external = { authProvider: 'Birds', providerKey: CANARIES.providerKey };
    keep((await post(EXTERNAL, { ...external, providerAccessCode: CANARIES.accessCode })).result.accessToken);
    assert.equal((await post(EXTERNAL, { ...external, providerAccessCode: CANARIES.wrong })).status, 502);
    const traceparent = (traceId: string, flags: string) => ({
      headers: { traceparent: `00-${traceId}-${CALLER.spanId}-${flags}`, tracestate: `latchkey=${CANARIES.inQuery}` },
    });
    const look = (options: RequestInit) => fetch(`${running.url}${SESSIONS}?q=${CANARIES.inQuery}`, options);
    await look(traceparent(CALLER.traceId, '01'));
    await look(traceparent(UNWANTED, '00'));
    await fetch(`${running.url}/nowhere/${CANARIES.inPath}?token=${admin}`, { headers: { 'user-agent': 'canary/1' } });
    keep((await post(REFRESH, {}, admin)).result.accessToken);
  }

  it('follows a sign-in from the request through hashing and the database', () => {
    const path = `POST ${AUTHENTICATE}`;
    const request = only(path, ({ traceId }) => traceId === failure.traceId);
    assert.deepEqual([request.kind, request.status], [REQUEST, 0]);
    assert.deepEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.route': AUTHENTICATE,
      'http.response.status_code': failure.status,
    });
    const names = descendants(request).map(({ name }) => name);
    for (const name of ['verify hash', 'transaction', 'select account', 'insert audit'])
      assert.ok(names.includes(name));
    const transaction = descendants(request).find(({ name }) => name === 'transaction') as CollectedSpan;
    assert.equal(transaction.attributes['db.system.name'], engine === 'sqlite' ? 'sqlite' : 'postgresql');
    assert.notEqual(descendants(transaction).length, 0, 'its statements are inside of it');
    const whole = collector.spans.filter(({ traceId }) => traceId === request.traceId);
    assert.equal(whole.length, names.length + 1, 'all of the trace hangs together');
  });

  it('follows a refresh into its transaction, which it may share with others', () => {
    const transaction = descendants(only(`POST ${REFRESH}`)).find(({ name }) => name === 'transaction');
    assert.ok(transaction && descendants(transaction).some(({ name }) => name === 'update session'));
  });

  it('names the trace in the error', () => {
    assert.match(failure.traceId, /^[0-9a-f]{32}$/);
  });

  it('continues the trace of the caller, and records none that the caller does not record', () => {
    const request = only(`GET ${SESSIONS}`);
    assert.deepEqual([request.traceId, request.parentSpanId], [CALLER.traceId, CALLER.spanId]);
    assert.equal(collector.spans.filter(({ traceId }) => traceId === UNWANTED).length, 0);
  });

  it('follows e-mail, text messages and providers', () => {
    for (const message of [only('send sms by sms-gateway'), only('send email by smtp')]) {
      assert.deepEqual([message.kind, message.parentSpanId, message.status], [OUTGOING, undefined, 0]);
    }
    const [good, bad] = spansOf(`POST ${EXTERNAL}`).map((request) =>
      descendants(request).find(({ name }) => name === 'ask provider'),
    );
    assert.deepEqual([good?.kind, good?.status, bad?.status], [OUTGOING, 0, FAILED]);
    assert.equal(bad?.attributes['latchkey.reason'], 'external.unavailable');
  });

  it('records of an unknown address only that a request came', () => {
    assert.equal(only('GET /*', ({ attributes }) => attributes['http.response.status_code'] === 404).kind, REQUEST);
  });

  it('creates no traces for the service’s own background work', () => {
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name);
    assert.deepEqual(
      roots.filter((name) => !/^(GET|POST|send (email|sms) by) ?/.test(name)),
      [],
    );
  });

  it('follows the standard variables', () => {
    const { path, headers } = collector.received[0] ?? {};
    assert.deepEqual([path, headers?.['x-tenant']], ['/v1/traces', 'birds']);
    assert.equal(collector.resource['service.name'], 'sign-in of birds');
  });

  it('sends the collector no secret, address or name', () => {
    const all = collector.received.map(({ body, headers }) => body + JSON.stringify(headers)).join('\n');
    assert.ok([...secrets.values()].every((secret) => secret.length >= 6));
    assert.ok(all.includes(AUTHENTICATE) && secrets.size > Object.keys(CANARIES).length + 2);
    for (const [name, secret] of secrets) {
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        assert.equal(all.toLowerCase().includes(form.toLowerCase()), false, `the collector was told the ${name}`);
      }
    }
    assert.equal(tellsPin(all, pin), false, 'the collector was told the pin');
    assert.doesNotMatch(all, /"events":\[\{/, 'the words of an error would be an event');
    assert.equal(all.includes('canary/1'), false, 'the collector was told what the caller runs');
  });
}

describe('tracing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-tracing-'));
  const witness = join(folder, 'witness.mjs');
  before(() => writeFileSync(witness, WITNESS));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = (env: Record<string, string>) =>
    startProcess({
      env: {
        LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
        LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
        NODE_OPTIONS: `--import ${witness}`,
        ...env,
      },
    });
  const ask = async ({ url }: TestProcess) => {
    const wrong = { userNameOrEmailAddress: 'nobody', password: 'no password' };
    const { status, error } = await callProcess(url, 'POST', AUTHENTICATE, { body: wrong });
    assert.equal(status, 401);
    return error.traceId as string;
  };

  it('loads nothing unless a collector is named', async (context) => {
    for (const [env, isLoaded] of [
      [{}, false],
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }, false],
      [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' }, true],
    ] as const) {
      const running = await start(env);
      context.after(() => running.stop());
      const traceId = await ask(running);
      assert.equal(await running.stop(), 0);
      assert.equal(running.output().includes('loaded file:'), isLoaded, running.output());
      assert.match(traceId, isLoaded ? /^[0-9a-f]{32}$/ : /^[0-9a-f-]{36}$/);
    }
  });

  it('waits for no collector that hangs or refuses, and logs the failure once', async (context) => {
    const collector = await startCollector();
    context.after(() => collector.stop());
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_TIMEOUT: '300' };
    const running = await start(env);
    context.after(() => running.stop());
    for (const how of ['hang', 500] as const) {
      const isAsked = collector.fail(how);
      await ask(running);
      await isAsked;
      await ask(running);
    }
    collector.fail('hang');
    await ask(running);
    assert.equal(await running.stop(), 0, 'it ends in good order');
    assert.equal(running.output().match(/accepts no traces/g)?.length, 1, running.output());
  });

  it('waits one second for remaining spans, and no longer', async (context) => {
    const collector = await startCollector();
    context.after(() => collector.stop());
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    context.after(() => delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
    const slept: number[] = [];
    const clock: Clock = {
      ...systemClock,
      // The second is over as soon as the collector has received its request.
      async sleep(milliseconds) {
        slept.push(milliseconds);
        await isAsked;
      },
    };
    const isAsked = collector.fail('hang');
    const options = { log: createLogger('silent'), clock, version: '1' };
    const { trace, close } = openTracing({ root: 'on', ratio: 1, isParentBased: true }, options);
    await trace({ call: async () => 1 }, { call: 'call' }, 'outgoing').call();
    await close();
    // If it had waited for the exporter to give up, the collector would have noticed by now.
    await sleep(200);
    assert.deepEqual([slept, collector.hanging()], [[1000], 1]);
  });

  it('records no trace that the sampler rejects', async (context) => {
    const collector = await startCollector();
    context.after(() => collector.stop());
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'always_off' };
    const running = await start(env);
    context.after(() => running.stop());
    const traceId = await ask(running);
    await running.stop();
    assert.match(traceId, /^[0-9a-f]{32}$/);
    assert.deepEqual(collector.received, []);
  });
});
