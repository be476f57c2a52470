// Sign-outs, as a slice of the service.
import type { Authorization } from '../authorization/index.ts';
import type { Dispatcher } from '../foundation/dispatcher.ts';
import { signOutRoutes } from './routes.ts';
import type { SignOuts } from './sign-outs.ts';

export const signOutsSlice = {
  create({ signOuts, signOutDeliveries, authorization }: Needs) {
    return {
      routes: signOutRoutes({ signOuts, authorization }),
      jobs: [signOuts.correctDueTimes, signOuts.deleteOld],
      duty: signOutDeliveries,
    };
  },
};

type Needs = { signOuts: SignOuts; signOutDeliveries: Dispatcher<string>; authorization: Authorization };
