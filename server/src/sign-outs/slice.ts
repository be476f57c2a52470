// Sign-outs, as a slice of the service.
import type { Authorization } from '../authorization/index.ts';
import type { Dispatcher } from '../foundation/dispatcher.ts';
import { isRefusal } from '../foundation/errors.ts';
import { signOutRoutes } from './routes.ts';
import type { SignOuts } from './sign-outs.ts';

export const signOutsSlice = {
  create({ signOuts, signOutDeliveries, authorization }: Needs) {
    const mayManage = (token: string | undefined) =>
      authorization.permit(token ?? '', 'Pages.Users', {}).then(
        () => true,
        (error) => {
          if (isRefusal(error)) return false;
          throw error;
        },
      );
    return {
      routes: signOutRoutes({ signOuts, mayManage }),
      jobs: [signOuts.deleteOld],
      duty: signOutDeliveries,
    };
  },
};

type Needs = { signOuts: SignOuts; signOutDeliveries: Dispatcher<string>; authorization: Authorization };
