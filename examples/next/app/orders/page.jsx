// app/orders/page.jsx
import { redirect } from 'next/navigation';
import { auth, signOut } from '../../sessions';

async function leave() {
  'use server';
  await signOut();
}

export default async function Orders() {
  const signedIn = await auth();
  if (!signedIn) redirect('/auth/sign-in?returnTo=/orders');
  return (
    <form action={leave}>
      <h1>The orders of {signedIn.user.userName}</h1>
      <button type="submit">Sign out</button>
      <a href={`${process.env.LATCHKEY_URL}/app/account`}>My sessions</a>
    </form>
  );
}
