// A page that people sign in to with Latchkey: the client keeps the token, refreshes it, and tells when the session has ended.
import { createLatchkey, isChallenge, isLatchkeyError } from 'latchkey-sdk';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const latchkey = createLatchkey({ baseUrl: 'http://localhost:8080' });

function App() {
  const [isSignedIn, setSignedIn] = useState(latchkey.isSignedIn);
  useEffect(() => latchkey.onSession(setSignedIn), []);
  return isSignedIn ? <Orders /> : <SignIn />;
}

function SignIn() {
  const [challenge, setChallenge] = useState(null);
  const [fault, setFault] = useState('');

  async function submit(event) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    try {
      const result = challenge
        ? await latchkey.call('TokenAuth/VerifySecondFactor', { ...challenge, ...fields })
        : await latchkey.call('TokenAuth/Authenticate', fields);
      setFault('');
      if (!isChallenge(result)) return;
      const { challengeToken, twoFactorAuthProviders: offered } = result;
      setChallenge({ challengeToken, provider: offered.includes('Authenticator') ? 'Authenticator' : 'RecoveryCode' });
    } catch (error) {
      if (!isLatchkeyError(error)) throw error;
      setFault(error.message);
      // It lives five minutes. The person begins again.
      if (isLatchkeyError(error, 'factor.challengeInvalid')) setChallenge(null);
    }
  }

  return (
    <form onSubmit={submit}>
      {challenge ? (
        <Field label="Code" name="code" autoComplete="one-time-code" />
      ) : (
        <>
          <Field label="User name or e-mail address" name="userNameOrEmailAddress" autoComplete="username" />
          <Field label="Password" name="password" type="password" autoComplete="current-password" />
        </>
      )}
      <button type="submit">Sign in</button>
      <p role="alert">{fault}</p>
    </form>
  );
}

const Field = ({ label, ...input }) => (
  <p>
    <label>
      {label} <input required {...input} />
    </label>
  </p>
);

function Orders() {
  const [user, setUser] = useState(null);
  useEffect(() => {
    latchkey.call('Session/GetCurrentLoginInfo').then(({ user }) => setUser(user), report);
  }, []);

  async function signOutEverywhere() {
    await latchkey.call('Session/EndOthers');
    await latchkey.signOff();
  }

  if (!user) return null;
  return (
    <>
      <h1>The orders of {user.userName}</h1>
      <button type="button" onClick={() => latchkey.signOff().catch(report)}>
        Sign out
      </button>
      <button type="button" onClick={() => signOutEverywhere().catch(report)}>
        Sign out everywhere
      </button>
    </>
  );
}

/** A session that has ended is no fault: the client has told `onSession`. A sign-off that the service has not heard of is one. */
function report(error) {
  if (!isLatchkeyError(error)) throw error;
  if (error.status !== 401) window.alert(error.message);
}

await latchkey.ready;
createRoot(document.getElementById('root')).render(<App />);
