// Calls that a person waits for, and whose answers are not needed to go on.

/** How long in milliseconds a sign-off waits for the service to hear it. The token is dropped even if it does not. */
const SIGN_OFF_MS = 5000;

/** Returns what a call answers in time. @param patience in milliseconds. */
export const inTime = <Value>(call: Promise<Value>, patience: number): Promise<Value | undefined> =>
  Promise.race([call.catch(() => undefined), new Promise<undefined>((resolve) => setTimeout(resolve, patience))]);

/** Whether the service has heard a sign-off in time. */
export const isHeard = (signOff: Promise<void>): Promise<true | undefined> =>
  inTime(
    signOff.then(() => true),
    SIGN_OFF_MS,
  );
