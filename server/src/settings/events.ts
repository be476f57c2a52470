// The audit actions of settings.
import { defineActions } from '../foundation/events.ts';

export const settingActions = defineActions('setting', {
  changed: 'An administrator changed a setting. Details hold its name, front end, old and new value.',
});
