// Registering as a person does: requesting a pin, reading it in the outbox, giving it back, filling in the form.
import assert from 'node:assert/strict';
import type { ResultOf } from './calls.ts';
import { type SentMessage, type TestAnswer, type TestCall, type TestService, USER_PASSWORD } from './service.ts';

export const SEND_PIN = '/api/services/app/Otp/SendPin';
export const RESEND_PIN = '/api/services/app/Otp/ResendPin';
const VERIFY_PIN = '/api/services/app/Otp/VerifyPin';
const CREATE = '/api/services/app/UserManagement/Create';

/** The numbers of the setting, and of `sendType`. */
export const REGISTER_BY = { none: 1, email: 2, mobile: 3 } as const;
export const SEND_BY = { sms: 1, email: 2, link: 4 } as const;

export type SendType = (typeof SEND_BY)[keyof typeof SEND_BY];

type Answer<Path extends string> = TestAnswer<ResultOf<'POST', Path>>;

export interface Registering {
  /** Sets how people register, with other members of the setting in `more`. */
  open(by: keyof typeof REGISTER_BY, more?: Record<string, unknown>): Promise<void>;
  askPin(sendTo: string, sendType?: SendType, call?: TestCall): Promise<Answer<typeof SEND_PIN>>;
  verifyPin(operationId: string, pin: string): Promise<Answer<typeof VERIFY_PIN>>;
  /** Requests a pin and gives it back. @returns the operation, which is a proof from then on. */
  prove(sendTo: string, sendType?: SendType): Promise<string>;
  /** Fills in the form; members that `more` does not set are valid. */
  create(more: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer<typeof CREATE>>;
}

/** The one pin of six digits in the message. */
export function pinIn(message: Pick<SentMessage, 'text'> | undefined): string {
  const pins = new Set(message?.text.match(/\b\d{6}\b/g) ?? []);
  assert.equal(pins.size, 1, message?.text ?? 'no message');
  return [...pins].join();
}

/** The link in the message: where it leads, and the operation and pin that it carries. */
export function linkIn(message: Pick<SentMessage, 'text'> | undefined) {
  const [link = ''] = message?.text.match(/http\S+/) ?? [];
  const url = new URL(link);
  const values = new URLSearchParams(url.hash.slice(1));
  const [operation, pin] = [values.get('operation'), values.get('pin')];
  assert.ok(operation && pin, link);
  return { page: `${url.origin}${url.pathname}${url.search}`, operation, pin };
}

/** Whether a text tells the pin. Six digits of a longer number or id, such as the time of a span, are it by chance. */
export const tellsPin = (text: string, pin: string): boolean => new RegExp(`\\b${pin}\\b`).test(text);

/** A pin other than this one. */
export const wrongPin = (pin: string) => (pin === '000000' ? '000001' : '000000');

/** Retries on 503: on a busy machine, the service may refuse a burst of requests. */
const PATIENCE = 20;

export function createRegistering(test: TestService): Registering {
  const post: TestService['post'] = async (path, call) => {
    let answer = await test.post(path, call);
    for (let turn = 0; turn < PATIENCE && answer.status === 503; turn += 1) answer = await test.post(path, call);
    return answer;
  };
  const registering: Registering = {
    open: (by, more = {}) =>
      test.set('Shesha.UserManagement', { supportedRegistrationMethods: REGISTER_BY[by], ...more }),
    askPin: (sendTo, sendType = SEND_BY.email, call = {}) => post(SEND_PIN, { ...call, body: { sendTo, sendType } }),
    verifyPin: (operationId, pin) => post(VERIFY_PIN, { body: { operationId, pin } }),
    async prove(sendTo, sendType) {
      await test.deliver();
      const { result, text } = await registering.askPin(sendTo, sendType);
      assert.ok(result, text);
      const sent = (await test.deliver()).find(({ to }) => to === result.sentTo);
      const verified = await registering.verifyPin(result.operationId, pinIn(sent));
      assert.equal(verified.result?.isSuccess, true, verified.text);
      return result.operationId;
    },
    create(more, headers = {}) {
      const password = more.password ?? USER_PASSWORD;
      const body = { firstName: 'Thandi', lastName: 'Nkosi', password, passwordConfirmation: password, ...more };
      return post(CREATE, { body, headers });
    },
  };
  return registering;
}
