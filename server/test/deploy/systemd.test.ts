// deploy/systemd: the unit is valid and confined. The long form runs it under a systemd of its own, as the guide says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertKnown, filledIn, readDeployFile, readTemplate } from '../support/deployment.ts';
import { readGuideCommands, root } from '../support/guide.ts';
import { findFreePort } from '../support/ports.ts';
import { callProcess } from '../support/process.ts';
import { isLong } from '../support/scale.ts';
import { bootSystemd, type Systemd } from '../support/systemd.ts';

const UNIT = 'systemd/latchkey.service';
const NODE = '/opt/latchkey/node_modules/.bin/node';

/** In tenths, as `systemd-analyze --threshold` counts. systemd calls more than 2 "medium". */
const MAX_EXPOSURE = 15;

const unit = readDeployFile(UNIT);
const read = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value);

function analyze(...words: string[]) {
  const { status, stdout, stderr, error } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  assert.equal(error, undefined, 'There is no systemd-analyze on this machine: install the package systemd.');
  return { status, output: stdout + stderr };
}

describe('latchkey.service', () => {
  it('has no mistake that systemd sees', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-unit-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'latchkey.service');
    // systemd also looks for the program.
    assert.ok(unit.includes(`ExecStart=${NODE} `));
    writeFileSync(file, unit.replace(NODE, process.execPath));
    assert.deepEqual(analyze('verify', '--man=no', file), { status: 0, output: '' });
  });

  it('is exposed by no more than 1.5', () => {
    const file = join(root, 'deploy', UNIT);
    const { status, output } = analyze('security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, '--no-pager', file);
    assert.equal(status, 0, output);
  });

  it('gives the service variables that it knows, and what the administrator sets overrides them', () => {
    const names = read('Environment').flatMap((text = '') => text.split(' ').map((pair) => pair.replace(/=.*/, '')));
    assertKnown([...names, ...Object.keys(readTemplate())]);
    assert.ok(unit.indexOf('Environment=') < unit.indexOf('EnvironmentFile='));
  });

  it('leaves the service time to stop, and the executable memory that V8 needs', () => {
    assert.ok(Number(read('TimeoutStopSec')[0]) > 10);
    assert.deepEqual(read('MemoryDenyWriteExecute'), []);
  });

  it('leaves it to the service to replace a worker that the kernel kills for memory', () => {
    assert.deepEqual([read('OOMPolicy'), read('Restart')], [['continue'], ['always']]);
  });
});

if (isLong) {
  describe('the guide to systemd, under systemd', () => {
    const password = 'correct horse battery';
    let files: string;
    let systemd: Systemd;
    let url: string;

    const follow = (title: string) => systemd.run(readGuideCommands('deploy-systemd.md', title).join('\n'));
    const show = async (property: string) => (await systemd.run(`systemctl show latchkey -P ${property}`)).trim();
    const signIn = () =>
      callProcess(url, 'POST', '/api/TokenAuth/Authenticate', {
        body: { userNameOrEmailAddress: 'admin', password },
      });
    async function untilReady() {
      const isReady = () =>
        fetch(`${url}/health/ready`).then(
          ({ status }) => status === 200,
          () => false,
        );
      while (!(await isReady())) {
        assert.notEqual(await show('ActiveState'), 'failed', await systemd.run('journalctl --unit=latchkey -o cat'));
        await sleep(50);
      }
    }

    before(async () => {
      files = mkdtempSync(join(tmpdir(), 'latchkey-files-'));
      // What `npm install --prefix /opt/latchkey` leaves there.
      const modules = join(files, 'opt/latchkey/node_modules');
      cpSync(join(root, 'node_modules/@node-rs'), join(modules, '@node-rs'), { recursive: true });
      cpSync(join(root, 'dist/package'), join(modules, 'latchkey'), { recursive: true });
      mkdirSync(join(modules, '.bin'));
      cpSync(process.execPath, join(modules, '.bin/node'), { dereference: true });
      symlinkSync('../latchkey/latchkey.mjs', join(modules, '.bin/latchkey'));
      mkdirSync(join(files, 'etc'));
      const port = await findFreePort();
      url = `http://127.0.0.1:${port}`;
      const variables = { ...readTemplate(), ...filledIn, LATCHKEY_PORT: port, LATCHKEY_ADMIN_PASSWORD: password };
      const lines = Object.entries({ ...variables, LATCHKEY_ADMIN_PASSWORD_FINAL: true });
      writeFileSync(join(files, 'etc/filled-in.env'), lines.map(([name, value]) => `${name}=${value}\n`).join(''));
      systemd = await bootSystemd(files);
      await follow('install the service');
      await systemd.run('cat /etc/filled-in.env >/etc/latchkey.env');
      const journal = () => systemd.run('journalctl --unit=latchkey --no-pager');
      await follow('start the service').catch(async () => assert.fail(await journal()));
      await untilReady();
    });
    after(async () => {
      await systemd?.stop();
      rmSync(files, { recursive: true, force: true });
    });

    it('signs in, without privileges and under a filter of system calls', async () => {
      assert.equal((await signIn()).status, 200);
      const status = await systemd.run(`cat /proc/${await show('MainPID')}/status`);
      assert.match(status, /^CapBnd:\t0+$/m);
      assert.match(status, /^NoNewPrivs:\t1$/m);
      assert.match(status, /^Seccomp:\t2$/m);
      assert.doesNotMatch(status, /^Uid:\t0\b/m);
      const warnings = await systemd.run('journalctl --unit=latchkey -o cat');
      assert.doesNotMatch(warnings, /"level":"(warn|error|fatal)"/);
    });

    it('has a thread for each core, a spare one and one for the disk, although it sees no /proc/cpuinfo', async () => {
      const variables = await systemd.run(`tr '\\0' '\\n' </proc/${await show('MainPID')}/environ`);
      assert.match(variables, new RegExp(`^UV_THREADPOOL_SIZE=${availableParallelism() + 2}$`, 'm'));
    });

    it('may lower the priority of the threads that hash', async () => {
      const threads = await systemd.run(`cat /proc/${await show('MainPID')}/task/*/stat`);
      // The nice value is the 17th word after the name (proc(5)).
      const found = [...threads.matchAll(/ \(libuv-worker\) (?:\S+ ){16}(\S+) /g)].map(([, nice]) => nice);
      assert.deepEqual(
        found,
        Array.from({ length: availableParallelism() + 2 }, () => '5'),
      );
    });

    it('is exposed by no more than 1.5 as it runs', async () => {
      await systemd.run(`systemd-analyze security latchkey --threshold=${MAX_EXPOSURE}`);
    });

    it('runs the doctor as the user of the service', async () => {
      const findings = await follow('run a command');
      assert.match(findings, /^ok +data directory \/var\/lib\/latchkey, open to its owner only/m);
      assert.match(findings, /^ok +database/m);
    });

    it('starts again after a crash, with its data', async () => {
      const former = await show('MainPID');
      await systemd.run('systemctl kill --signal=SIGKILL latchkey');
      while (['0', former].includes(await show('MainPID'))) await sleep(50);
      await untilReady();
      assert.equal((await signIn()).status, 200);
    });

    it('stops at once, and keeps its compiled modules', async () => {
      await systemd.run('systemctl stop latchkey');
      assert.deepEqual([await show('Result'), await show('ExecMainStatus')], ['success', '0']);
      assert.notEqual(await systemd.run('ls /var/cache/latchkey'), '');
    });
  });
}
