// The account that a form with a password is for: a hidden field tells it to password managers.
import { latchkey } from '../api/latchkey.ts';
import { useLoad } from './use-load.ts';

export const AccountName = ({ name }: { name: string }) => (
  <input name="username" autoComplete="username" value={name} readOnly hidden />
);

const readMyName = async () => (await latchkey.call('Session/GetCurrentLoginInfo')).user?.userName ?? '';

/** Of the account that is signed in. */
export function MyAccountName() {
  const name = useLoad(readMyName);
  return name.state === 'loaded' && <AccountName name={name.value} />;
}
