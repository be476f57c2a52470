// Message tests, as a slice of the service.
import { messageTestActions, messageTestErrors } from './declarations.ts';
import { createMessageTests } from './message-tests.ts';
import { type MessageTestRouteDeps, messageTestRoutes } from './routes.ts';
import { testMessage } from './templates.ts';

export const messageTestsSlice = {
  declarations: { settings: [testMessage], errors: [messageTestErrors], actions: [messageTestActions] },
  create: (deps: Parameters<typeof createMessageTests>[0] & Omit<MessageTestRouteDeps, 'messageTests'>) => ({
    routes: messageTestRoutes({ ...deps, messageTests: createMessageTests(deps) }),
  }),
};
