// The means of delivery that the service has. What needs another one is not offered.
import type { Calls } from 'latchkey-sdk';
import { latchkey } from './latchkey.ts';

export type Means = Calls['Delivery/GetMeans']['result'];

/** Read by the pages behind the sign-in. */
export const meansQuery = { queryKey: ['means'], queryFn: (): Promise<Means> => latchkey.call('Delivery/GetMeans') };
