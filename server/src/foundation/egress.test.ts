// Egress: which addresses it calls, in every spelling, and what it does with answers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createEgress, drain, EgressRefusal, parseEgressAllowance } from './egress.ts';

const { signal } = new AbortController();

/** Egress of a service in production, and the names that it has resolved. */
function createWatched(addresses: readonly string[], allowed = '') {
  const resolved: string[] = [];
  const resolve = async (name: string) => {
    resolved.push(name);
    return addresses;
  };
  const egress = createEgress({ allowance: parseEgressAllowance(allowed), isDevelopment: false, resolve });
  const call = (url: string) => egress.fetch(url, { method: 'GET', signal });
  return { egress, resolved, call };
}

/** Egress of a service in development. */
const atHome = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true });

/** Runs `use` against a server on this machine that answers like this. */
async function withServer(answer: RequestListener, use: (url: string) => Promise<void>) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://localhost:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const notPublic = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:10.0.0.1', '64:ff9b::a00:1'],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:a00:1::', '3fff::1', '4000::1', '5f00::1', 'fc00::1'],
  ...['fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1'],
];

describe('egress', () => {
  for (const address of notPublic) {
    it(`refuses a name that leads to ${address}, and the address itself`, async () => {
      const { egress, call } = createWatched([address]);
      await assert.rejects(call('https://app.example.com/'), EgressRefusal);
      const host = address.includes(':') ? `[${address}]` : address;
      await assert.rejects(call(`https://${host}/`), EgressRefusal);
      assert.throws(() => egress.check(`https://${host}/`), EgressRefusal);
    });
  }

  for (const host of [
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
  ]) {
    it(`refuses the loopback address as ${host}`, async () => {
      const { egress, call, resolved } = createWatched(['93.184.216.34']);
      await assert.rejects(call(`https://${host}/`), EgressRefusal);
      assert.throws(() => egress.check(`https://${host}/`), EgressRefusal);
      assert.deepEqual(resolved, []);
    });
  }

  it('refuses a name as soon as one of its addresses is not public', async () => {
    const { call, resolved } = createWatched(['93.184.216.34', '10.0.0.1']);
    await assert.rejects(call('https://app.example.com/'), EgressRefusal);
    assert.deepEqual(resolved, ['app.example.com']);
  });

  for (const url of [
    'app.example.com',
    'http://app.example.com/',
    'http://127.0.0.1/',
    'ftp://app.example.com/',
    'file:///etc/passwd',
    'https://name:secret@app.example.com/',
    'https://name@app.example.com/',
    'https://app.example.com/#part',
    'https://a..b/',
  ]) {
    it(`does not store ${url}`, () => {
      assert.throws(() => createWatched([]).egress.check(url), EgressRefusal);
    });
  }

  it('stores an address whose name cannot be resolved yet', () => {
    createWatched([]).egress.check('https://app.example.com:8443/events?of=us');
  });

  it('calls what the operator allows, by host, address and range', async () => {
    for (const allowed of ['Hooks.Internal.', '127.0.0.1', '127.0.0.0/8 10.0.0.0/8', '10.0.0.0/8,hooks.internal']) {
      const { call } = createWatched(['127.0.0.1'], allowed);
      // Nothing listens on port 1: the connection was tried.
      await assert.rejects(call('https://hooks.internal:1/'), { code: 'ECONNREFUSED' });
    }
    for (const allowed of ['10.0.0.0/8', 'other.internal', 'internal', '::/0', '::ffff:127.0.0.1']) {
      await assert.rejects(createWatched(['127.0.0.1'], allowed).call('https://hooks.internal:1/'), EgressRefusal);
    }
    assert.throws(() => createWatched([], '127.0.0.0/8').egress.check('http://127.0.0.1/'), EgressRefusal);
  });

  for (const entry of ['10.0.0.0/33', '10.0.0', '*.internal', 'https://hooks.internal', 'a..b', '10.0.0.0/8/8']) {
    it(`does not understand the allowance ${entry}`, () => {
      assert.throws(
        () => parseEgressAllowance(`10.0.0.1, ${entry}`),
        (error: Error) => error.message.includes(`"${entry}"`),
      );
    });
  }

  it('resolves a name once, and connects to what it has checked', async () => {
    await withServer(
      (request, response) => response.end(request.headers.host),
      async (url) => {
        const answers = [['127.0.0.1'], ['10.0.0.1']];
        const resolve = async () => answers.shift() ?? [];
        const egress = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true, resolve });
        const answer = await egress.fetch(url, { method: 'GET', signal });
        assert.equal(`http://${await answer.text()}`, url);
        await assert.rejects(egress.fetch(url, { method: 'GET', signal }), EgressRefusal);
      },
    );
  });

  it('uses a kept connection again for the same addresses, and opens another one when the server has ended it', async () => {
    const sockets: Socket[] = [];
    let ends = false;
    const answer: RequestListener = ({ socket }, response) => {
      const isKnown = sockets.includes(socket);
      sockets.push(socket);
      if (isKnown && ends) socket.destroy();
      else response.end('a');
    };
    await withServer(answer, async (url) => {
      let addresses: readonly string[] = ['127.0.0.1'];
      const resolve = async () => addresses;
      const egress = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true, resolve });
      const call = async () => {
        const request = { method: 'POST', body: 'words', signal, keepsConnection: true } as const;
        const { status } = await drain(await egress.fetch(url, request));
        assert.equal(status, 200);
      };
      await call();
      await call();
      assert.equal(new Set(sockets).size, 1, 'one connection serves both');

      ends = true;
      await call();
      assert.equal(sockets.length, 4, 'it is sent again');
      assert.equal(new Set(sockets).size, 2);

      addresses = ['127.0.0.1', '::1'];
      await call();
      assert.equal(new Set(sockets).size, 3, 'a name that has moved gets its own');

      addresses = ['10.0.0.1'];
      await assert.rejects(call(), EgressRefusal);
      assert.equal(sockets.length, 5, 'what was kept does not let it through');
    });
  });

  it('opens http to this machine for addresses that may be there, and to no other', async () => {
    const options = { allowsLoopback: true };
    await withServer(
      (_, response) => response.end('here'),
      async (url) => {
        const egress = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: false });
        egress.check(url, options);
        egress.check('https://127.0.0.1/', options);
        for (const refused of [url, 'https://127.0.0.1/']) assert.throws(() => egress.check(refused), EgressRefusal);
        const answer = await egress.fetch(url, { method: 'GET', signal, ...options });
        assert.equal(await answer.text(), 'here');
        await assert.rejects(egress.fetch(url, { method: 'GET', signal }), EgressRefusal);
        for (const other of [
          'https://10.0.0.1/',
          'http://10.0.0.1/',
          'http://app.example.com/',
          'http://localhost.example.com/',
        ])
          assert.throws(() => egress.check(other, options), EgressRefusal);
      },
    );
    const { egress } = createWatched(['10.0.0.1']);
    await assert.rejects(egress.fetch('http://localhost/', { method: 'GET', signal, ...options }), EgressRefusal);
  });

  it('opens http to this machine in development, and to no other', async () => {
    const answer: RequestListener = (request, response) => {
      request.setEncoding('utf8').on('data', (body) => response.write(`${request.method} ${body}`));
      request.on('end', () => response.end());
    };
    await withServer(answer, async (url) => {
      atHome.check(url);
      const told = await atHome.fetch(url, { method: 'POST', body: 'words', signal });
      assert.equal(await told.text(), 'POST words');
    });
    for (const url of [
      'http://93.184.216.34/',
      'http://10.0.0.1/',
      'https://127.0.0.1/',
      'http://[::ffff:127.0.0.1]/',
    ]) {
      await assert.rejects(atHome.fetch(url, { method: 'GET', signal }), EgressRefusal, url);
    }
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const answer: RequestListener = (request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/there' }).end();
    };
    await withServer(answer, async (url) => {
      const { status, headers } = await atHome.fetch(`${url}/here`, { method: 'POST', body: 'words', signal });
      assert.deepEqual([status, headers.get('location'), asked], [307, '/there', ['/here']]);
    });
  });

  it('reads up to 1 MiB of an answer, and asks for no compression', async () => {
    const answer: RequestListener = (request, response) => {
      assert.equal(request.headers['accept-encoding'], 'identity');
      response.end(Buffer.alloc(Number(request.url?.slice(1)), 'x'));
    };
    await withServer(answer, async (url) => {
      const most = await atHome.fetch(`${url}/${1024 * 1024}`, { method: 'GET', signal });
      assert.equal((await most.text()).length, 1024 * 1024);
      const more = await atHome.fetch(`${url}/${1024 * 1024 + 1}`, { method: 'GET', signal });
      await assert.rejects(more.text());
    });
  });

  it('ends when it is aborted: while a name is resolved, while an answer is awaited, and while it is read', async () => {
    const hanging = createEgress({
      allowance: parseEgressAllowance(''),
      isDevelopment: false,
      resolve: () => new Promise(() => {}),
    });
    const first = new AbortController();
    const resolving = hanging.fetch('https://app.example.com/', { method: 'GET', signal: first.signal });
    first.abort(new Error('over'));
    await assert.rejects(resolving, /over/);

    let onAsked = () => {};
    const answer: RequestListener = (request, response) => {
      if (request.url === '/begins') response.writeHead(200).write('a');
      onAsked();
    };
    await withServer(answer, async (url) => {
      const second = new AbortController();
      const isAsked = new Promise<void>((resolve) => {
        onAsked = resolve;
      });
      const waiting = atHome.fetch(url, { method: 'GET', signal: second.signal });
      await isAsked;
      second.abort();
      await assert.rejects(waiting, { name: 'AbortError' });
      const third = new AbortController();
      const begun = await atHome.fetch(`${url}/begins`, { method: 'GET', signal: third.signal });
      third.abort();
      await assert.rejects(begun.text());
    });
  });

  it('lets the connection go when the answer is not read', async () => {
    const answer: RequestListener = (request, response) => {
      response.writeHead(200).write('a');
      onOpen(request.socket);
    };
    let onOpen: (socket: { once(event: 'close', on: () => void): void }) => void = () => {};
    await withServer(answer, async (url) => {
      const closed = new Promise<void>((resolve) => {
        onOpen = (socket) => socket.once('close', resolve);
      });
      const told = await atHome.fetch(url, { method: 'POST', body: '', signal });
      await told.body?.cancel();
      await closed;
    });
  });

  it('hears nothing more after a status without a body', async () => {
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const answer: RequestListener = ({ socket }) => {
      socket
        .once('close', onClose)
        .write('HTTP/1.1 205 Reset Content\r\ntransfer-encoding: chunked\r\n\r\n4\r\nmore\r\n');
    };
    await withServer(answer, async (url) => {
      const { status } = await atHome.fetch(url, { method: 'POST', body: '', signal });
      assert.equal(status, 205);
      await closed;
    });
  });

  it('sends a call once, over a connection of its own, unless it may come twice', async () => {
    const sockets: Socket[] = [];
    const answer: RequestListener = ({ socket }, response) => {
      sockets.push(socket);
      if (sockets.length > 2) socket.destroy();
      else response.end('a');
    };
    await withServer(answer, async (url) => {
      const call = () => atHome.fetch(url, { method: 'POST', body: 'words', signal });
      for (let n = 0; n < 2; n += 1) await drain(await call());
      assert.equal(new Set(sockets).size, 2);
      await assert.rejects(call(), { code: 'ECONNRESET' });
      assert.equal(sockets.length, 3);
    });
  });

  it('fails when the server changes the protocol', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n';
    await withServer(
      ({ socket }) => void socket.write(head),
      async (url) => assert.rejects(atHome.fetch(url, { method: 'GET', signal }), /without an answer/),
    );
  });

  it('returns answers without a body, and fails on a status that does not exist', async () => {
    await withServer(
      (request, response) => void response.writeHead(Number(request.url?.slice(1))).end(),
      async (url) => {
        for (const status of [204, 304]) {
          const told = await atHome.fetch(`${url}/${status}`, { method: 'GET', signal });
          assert.deepEqual([told.status, await told.text()], [status, '']);
        }
        await assert.rejects(atHome.fetch(`${url}/700`, { method: 'GET', signal }), /unknown status 700/);
      },
    );
  });
});
