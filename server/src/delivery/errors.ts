// The error of a call that would need a means of delivery that is off.
import { defineErrors } from '../foundation/errors.ts';

export const deliveryErrors = defineErrors('delivery', {
  notOffered: { status: 400, message: 'This service does not send such messages. Please choose another way.' },
});
