// The examples that need other programs, or only take long. Next.js has a file of its own.
import { testExample, testTestsOf } from '../support/example.ts';

testExample({ name: 'fastify', packages: ['fastify'] });
// Debian's packages, not those of requirements.txt.
testExample({
  name: 'python',
  install: '/usr/bin/python3 -m venv --system-site-packages --without-pip .venv',
  statusWhenAway: 503,
});
testExample({ name: 'go', statusWhenAway: 503 });
testTestsOf({ name: 'express', packages: ['express'] });
