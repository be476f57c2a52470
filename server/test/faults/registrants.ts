// People without an account, each with their own address: they request a pin, give it back, and register.
import assert from 'node:assert/strict';
import { USER_PASSWORD } from '../support/service.ts';
import { type Outcome, outcomeOf } from './ledger.ts';
import { callApi, paths } from './person.ts';
import type { World } from './world.ts';

const GET_ALL = '/api/services/app/User/GetAll';
const PAGE = 100;

export type Registrant = { readonly address: string; readonly operationId: string };

export interface Registrants {
  /** Requests a pin by mail; an acknowledgement promises a message. */
  ask(): Promise<{ address: string; operationId: string | undefined; elapsedMs: number | undefined }>;
  /** Requests a pin and gives it back. */
  prove(): Promise<Registrant>;
  register(registrant: Registrant): Promise<Outcome>;
  /** The address of each account that was registered. */
  listAccounts(): Promise<string[]>;
}

export function createRegistrants({ ledger, url, readMailedPin, admin }: World): Registrants {
  let count = 0;
  const post = (path: string, caller: string, body: unknown) => callApi(url(), 'POST', path, { body, caller });

  async function ask() {
    count += 1;
    const address = `registrant${count}@example.org`;
    const body = { sendTo: address, sendType: 2 };
    const deed = { call: 'ask for a proof', caller: address, promises: address };
    const answer = await ledger.record(deed, () => post(paths.sendProof, address, body));
    return { address, operationId: answer?.result?.operationId as string | undefined, elapsedMs: answer?.elapsedMs };
  }

  return {
    ask,
    async prove() {
      const { address, operationId = '' } = await ask();
      const pin = await readMailedPin(address);
      const deed = { call: 'give a proof', caller: address, uses: [`registration pin:${operationId}`] };
      const answer = await ledger.record(deed, () => post(paths.giveProof, address, { operationId, pin }));
      assert.equal(answer?.result?.isSuccess, true, answer?.text ?? address);
      return { address, operationId };
    },
    async register({ address, operationId }) {
      const body = {
        firstName: 'Thandi',
        lastName: 'Nkosi',
        emailAddress: address,
        userName: `${address.split('@')[0]}-${performance.now().toString(36).replace('.', '')}`,
        password: USER_PASSWORD,
        passwordConfirmation: USER_PASSWORD,
        operationId,
      };
      const uses = [`proof:${operationId}`, `account of ${address}`];
      const deed = { call: 'register', caller: address, uses };
      const answer = await ledger.record(deed, () => post(paths.register, address, body));
      return outcomeOf(answer?.status ?? 503);
    },
    async listAccounts() {
      const addresses: string[] = [];
      for (;;) {
        const query = `keyword=registrant&maxResultCount=${PAGE}&skipCount=${addresses.length}`;
        const { items } = await admin('GET', `${GET_ALL}?${query}`);
        addresses.push(...items.map(({ emailAddress }: { emailAddress: string }) => emailAddress));
        if (items.length < PAGE) return addresses;
      }
    },
  };
}
