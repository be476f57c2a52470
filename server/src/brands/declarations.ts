// The audit actions of brands. Changes of a brand are changes of its setting.
import { defineActions } from '../foundation/events.ts';

export const brandActions = defineActions('brand', {
  logoUploaded: 'An administrator uploaded a logo. Details hold its file name and size in bytes.',
});
