// The verifier when the service, the network, the process or a clock fails: it never accepts on old knowledge.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ISSUER, startScript } from '../../test/scripted-service.ts';
import { createVerifier } from './index.ts';

/** Starts a script whose verifier is ready, and issues a token. */
async function start(options: Parameters<typeof startScript>[0] = {}) {
  const scripted = await startScript(options);
  await scripted.verifier.ready();
  return { ...scripted, token: await scripted.issue() };
}

describe('a verifier that is not in touch with the service', () => {
  it('accepts until five seconds have passed, and again as soon as the service is back', async () => {
    const { script, judge, pass, token, settle, verifier } = await start();
    script.network = 'refuses';
    await pass(4.9);
    assert.equal(await judge(token), 'accepted');
    await pass(0.2);
    assert.deepEqual([await judge(token), verifier.isStale], ['stale', true]);
    script.network = 'up';
    await pass(1);
    await settle();
    assert.deepEqual([await judge(token), verifier.isStale], ['accepted', false]);
  });

  it('keeps the bound that it is given', async () => {
    const { script, judge, pass, token } = await start({ maxStaleSeconds: 60 });
    script.network = 'refuses';
    await pass(59.9);
    assert.equal(await judge(token), 'accepted');
    await pass(0.2);
    assert.equal(await judge(token), 'stale');
  });

  it('is in touch again after a log that fails as well', async () => {
    const onError = () => {
      throw new Error('The log is full.');
    };
    const { script, judge, pass, token, settle } = await start({ onError });
    script.network = 'refuses';
    await pass(6);
    assert.equal(await judge(token), 'stale');
    script.network = 'up';
    await pass(1);
    await settle();
    assert.equal(await judge(token), 'accepted');
  });

  it('still tells what it knows to be revoked, expired or forged', async () => {
    const { script, judge, pass, revoke, issue, token } = await start();
    const [sid, short] = [crypto.randomUUID(), await issue({ exp: 1_795_334_410 })];
    const revoked = await issue({ sid });
    await revoke({ sid, generation: 2_147_483_647 });
    script.network = 'refuses';
    await pass(20);
    assert.deepEqual(
      [await judge(revoked), await judge(short), await judge(`${token.slice(0, -4)}AAAA`), await judge(token)],
      ['revoked', 'expired', 'invalid', 'stale'],
    );
  });

  it('tries again at most a second later, and not more often than that for long', async () => {
    const { script, pass, requests } = await start();
    script.network = 'refuses';
    await pass(20);
    const times = requests.filter(({ path }) => path.startsWith('/api/revocations')).map(({ at }) => at);
    const gaps = times.slice(-8).map((at, index, all) => at - (all[index - 1] ?? at));
    assert.ok(
      gaps.slice(1).every((gap) => gap >= 950 && gap <= 1050),
      `gaps of ${gaps} ms`,
    );
  });

  it('gives up a stream that is silent, and a service that does not answer', async () => {
    const { script, pass, judge, streams, requests, token } = await start();
    await pass(4.5, { beats: false });
    assert.equal(streams.size, 1, 'a new stream took the place of the silent one');
    assert.equal(await judge(token), 'accepted');
    script.network = 'hangs';
    await pass(30);
    assert.equal(await judge(token), 'stale');
    script.network = 'up';
    const { length } = requests;
    await pass(5.5);
    assert.ok(requests.length > length);
    assert.equal(await judge(token), 'accepted');
  });

  it('reports each outage once, and every refusal of the key to callers that wait', async () => {
    const { script, pass, problems, endStreams } = await start();
    script.network = 'refuses';
    await pass(10);
    assert.equal(problems.length, 1);
    script.network = 'up';
    await pass(2);
    script.statuses['/api/revocations'] = 401;
    await endStreams();
    await pass(10);
    assert.deepEqual(
      problems.slice(1).map((text) => /refuses the service key/.test(text)),
      [false, true],
    );
    const scripted = await startScript();
    scripted.script.statuses['/api/revocations'] = 403;
    await assert.rejects(scripted.verifier.ready(), /lacks the permission/);
  });
});

describe('a verifier whose process or machine was stopped', () => {
  it('does not accept when it runs again, although beats are waiting that were sent meanwhile', async () => {
    const { stopFor, beatsNow, deliver, judge, pass, token } = await start();
    const beats = beatsNow();
    stopFor(3600);
    assert.equal(await judge(token), 'expired');
    await deliver(beats);
    assert.equal(await judge(token), 'expired');
    await pass(2);
  });

  it('does not accept after a minute, until the service has told what it missed', async () => {
    const { stopFor, beatsNow, deliver, judge, pass, revoke, issue, token, system } = await start();
    const sid = crypto.randomUUID();
    const revoked = await issue({ sid });
    stopFor(2);
    const beats = beatsNow();
    stopFor(58);
    assert.equal(await judge(token), 'stale');
    await deliver(beats);
    assert.equal(await judge(token), 'stale', 'the beat is 58 seconds old');
    await revoke({ sid, generation: 1 });
    const before = system.elapsed();
    await pass(1);
    assert.ok(system.elapsed() - before <= 1000);
    assert.deepEqual([await judge(token), await judge(revoked)], ['accepted', 'revoked']);
  });

  it('accepts no token that expired while a beat waited', async () => {
    const { stopFor, beatsNow, deliver, judge, issue, token } = await start({ maxStaleSeconds: 60 });
    const short = await issue({ exp: 1_795_334_410 });
    const beats = beatsNow();
    stopFor(30);
    await deliver(beats);
    assert.deepEqual([await judge(short), await judge(token)], ['expired', 'accepted']);
  });

  it('does not accept after a suspension that stopped the other clock', async () => {
    const { suspendFor, beatsNow, deliver, judge, pass, token } = await start();
    const beats = beatsNow();
    suspendFor(600);
    assert.equal(await judge(token), 'stale');
    await deliver(beats);
    assert.equal(await judge(token), 'stale');
    await pass(1);
    assert.equal(await judge(token), 'accepted');
  });
});

describe('a verifier whose clock is set', () => {
  it('back by an hour: accepts no expired token, and forgets no revocation', async () => {
    const { setClock, judge, pass, revoke, issue, token, verifier } = await start();
    const [sid, short] = [crypto.randomUUID(), await issue({ exp: 1_795_334_410 })];
    const revoked = await issue({ sid });
    await revoke({ sid, generation: 1 });
    setClock(-3600);
    await pass(12);
    assert.deepEqual(
      [await judge(token), await judge(short), await judge(revoked)],
      ['accepted', 'expired', 'revoked'],
    );
    assert.equal(verifier.isStale, false);
  });

  it('forth by a day: refuses for less than a second', async () => {
    const { setClock, judge, pass, revoke, issue, token } = await start();
    const sid = crypto.randomUUID();
    const revoked = await issue({ sid });
    await revoke({ sid, generation: 1 });
    setClock(86_400);
    assert.equal(await judge(token), 'stale');
    await pass(0.6);
    assert.deepEqual([await judge(token), await judge(revoked)], ['accepted', 'revoked']);
    setClock(-86_400);
    await pass(1);
    assert.deepEqual([await judge(token), await judge(revoked)], ['accepted', 'revoked']);
  });
});

describe('a verifier that starts', () => {
  it('reads all pages before it is ready', async () => {
    const scripted = await startScript({}, 'refuses');
    const sids = Array.from({ length: 25 }, () => crypto.randomUUID());
    scripted.script.pageSize = 10;
    for (const sid of sids) await scripted.revoke({ sid, generation: 1 });
    assert.equal(scripted.verifier.isStale, true);
    assert.equal(await scripted.judge(await scripted.issue()), 'stale');
    scripted.script.network = 'up';
    await scripted.pass(1);
    await scripted.verifier.ready();
    for (const sid of sids) assert.equal(await scripted.judge(await scripted.issue({ sid })), 'revoked');
    assert.equal(scripted.verifier.sessions.size, 25);
    await scripted.verifier.ready();
  });

  it('waits for a service that is down', async () => {
    const scripted = await startScript({}, 'refuses');
    const ready = scripted.verifier.ready();
    await scripted.pass(30);
    scripted.script.network = 'up';
    await scripted.pass(1);
    await ready;
  });

  it('starts from empty after 410, while what it knew stays refused', async () => {
    const { script, judge, pass, revoke, issue, endStreams, requests } = await start();
    const [sid, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const tokens = [await issue({ sid }), await issue({ sid: other })];
    await revoke({ sid, generation: 1 });
    script.items = [];
    script.statuses['/api/revocations'] = 410;
    await endStreams();
    await pass(0.5);
    delete script.statuses['/api/revocations'];
    await revoke({ sid: other, generation: 1 });
    const { length } = requests;
    await pass(1.5);
    assert.ok(requests.slice(length).some(({ path }) => path === '/api/revocations?after='));
    assert.deepEqual(await Promise.all(tokens.map(judge)), ['revoked', 'revoked']);
  });

  it('goes on where the stream ended', async () => {
    const { pass, revoke, endStreams, requests } = await start();
    for (let count = 0; count < 3; count++) await revoke({ sid: crypto.randomUUID(), generation: 1 });
    await endStreams();
    const { length } = requests;
    await pass(1);
    assert.ok(requests.slice(length).some(({ path }) => path === '/api/revocations?after=3'));
  });

  it('forgets sessions whose tokens have expired when it renews its stream', async () => {
    const { pass, revoke, endStreams, stopFor, verifier } = await start();
    for (let count = 0; count < 3; count++) await revoke({ sid: crypto.randomUUID(), generation: 1 });
    stopFor(3601);
    await endStreams();
    await pass(1);
    assert.equal(verifier.sessions.size, 0);
  });

  it('stays stale if the feed has what it does not understand', async () => {
    const { revoke, judge, pass, token, problems } = await start();
    await revoke({ deviceId: 'x' });
    await pass(6);
    assert.equal(await judge(token), 'stale');
    assert.match(problems.join(), /does not understand/);
  });

  it('renews its stream, without a moment of doubt', async () => {
    const { pass, judge, requests, token, verifier } = await start();
    const { length } = requests;
    for (let second = 0; second < 310; second++) {
      await pass(1);
      assert.equal(verifier.isStale, false);
    }
    assert.equal(requests.slice(length).filter(({ path }) => path === '/api/revocations').length, 1);
    assert.equal(await judge(token), 'accepted');
  });

  it('rejects all tokens and stops all work when it is closed', async () => {
    const { verifier, judge, pass, requests, streams, token } = await start({ whenStale: 'introspect' });
    verifier.close();
    assert.equal(await judge(token), 'stale');
    const { length } = requests;
    await pass(10);
    assert.deepEqual([requests.length, streams.size], [length, 0]);
    await assert.rejects(verifier.ready(), /closed/);
  });
});

describe('a stale verifier that introspects', () => {
  it('asks the service about tokens that it does not know to be dead', async () => {
    const { script, judge, pass, revoke, issue, requests, token } = await start({ whenStale: 'introspect' });
    const sid = crypto.randomUUID();
    const revoked = await issue({ sid });
    await revoke({ sid, generation: 1 });
    const asked = () => requests.filter(({ path }) => path === '/oauth/introspect');
    assert.equal(await judge(token), 'accepted');
    assert.equal(asked().length, 0);
    script.statuses['/api/revocations'] = 503;
    await pass(10, { beats: false });
    assert.equal(await judge(token), 'accepted');
    assert.equal(asked().at(-1)?.body, `token=${token}`);
    script.answer = { active: false };
    assert.equal(await judge(token), 'revoked');
    for (const nonsense of [{}, null, { active: 'true' }, 'yes']) {
      script.answer = nonsense;
      assert.equal(await judge(token), 'stale');
    }
    const { length } = asked();
    assert.deepEqual([await judge(revoked), await judge(`${token}x`)], ['revoked', 'invalid']);
    assert.equal(asked().length, length, 'a dead or forged token costs no request');
  });

  it('rejects a token that was revoked while it asked', async () => {
    const { script, verifier, judge, pass, settle, issue, requests } = await start({ whenStale: 'introspect' });
    const sid = crypto.randomUUID();
    const token = await issue({ sid });
    assert.equal(await judge(token), 'accepted');
    await pass(5.1, { beats: false });
    script.statuses['/api/revocations'] = 503;
    await pass(5.1, { beats: false });
    assert.equal(verifier.isStale, true);
    const { length } = requests;
    let answer = () => {};
    script.answering = new Promise((resolve) => {
      answer = resolve;
    });
    const verdict = judge(token);
    await settle();
    assert.equal(requests[length]?.path, '/oauth/introspect');
    script.statuses = {};
    script.items.push({ sid, generation: 1 });
    await pass(1.5);
    answer();
    assert.equal(await verdict, 'revoked');
  });

  it('rejects the token if the service cannot say', async () => {
    const { script, judge, pass, token } = await start({ whenStale: 'introspect' });
    assert.equal(await judge(token), 'accepted');
    script.network = 'hangs';
    await pass(10);
    const verdict = judge(token);
    await pass(2.5);
    assert.equal(await verdict, 'stale');
    script.network = 'refuses';
    assert.equal(await judge(token), 'stale');
  });
});

describe('the options of a verifier', () => {
  const right = { issuer: ISSUER, audience: 'shop', serviceKey: 'lks_x' };
  const wrong: Record<string, object> = {
    issuer: { issuer: 'id.example.com' },
    serviceUrl: { serviceUrl: 'ftp://id.example.com' },
    audience: { audience: '' },
    serviceKey: { serviceKey: undefined },
    maxStaleSeconds: { maxStaleSeconds: 2.9 },
    'maxStaleSeconds of nonsense': { maxStaleSeconds: 'x' },
    'maxStaleSeconds of years': { maxStaleSeconds: 3601 },
    whenStale: { whenStale: 'accept' },
  };
  for (const [name, change] of Object.entries(wrong)) {
    it(`must have a right ${name}`, () => {
      // As JavaScript can pass them.
      assert.throws(() => createVerifier({ ...right, ...change } as never), new RegExp(name.split(' ')[0] ?? ''));
    });
  }
});
