// latchkey sessions: ends all sessions, which is the last step of every restore.
import { defineCommand, UsageError } from './command.ts';
import { print } from './output.ts';
import { withService } from './service.ts';

export const sessionCommands = [
  defineCommand({
    name: 'sessions end-all',
    about: 'End all sessions of all users at once, after a restore or when tokens may have leaked.',
    takes: [],
    options: { yes: { type: 'boolean', about: 'Confirm that all users must sign in again.' } },
    async run({ yes }) {
      if (!yes) throw new UsageError('This ends the sessions of all users. To confirm, add --yes.');
      const { endAllSessions } = await import('../app/restore-check.ts');
      const count = await withService((service) => endAllSessions(service, 'command line'), { isStored: true });
      print(`Ended ${count} ${count === 1 ? 'session' : 'sessions'}.`);
      return undefined;
    },
  }),
];
