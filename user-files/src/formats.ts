// The formats that can be imported, in the order in which they are guessed: those with the clearest marks come first.
import type { Format } from './format.ts';
import { abp } from './formats/abp.ts';
import { auth0 } from './formats/auth0.ts';
import { betterAuth } from './formats/better-auth.ts';
import { cognito } from './formats/cognito.ts';
import { django } from './formats/django.ts';
import { entra } from './formats/entra.ts';
import { firebase } from './formats/firebase.ts';
import { keycloak } from './formats/keycloak.ts';
import { laravel } from './formats/laravel.ts';
import { latchkey } from './formats/latchkey.ts';
import { okta } from './formats/okta.ts';
import { supabase } from './formats/supabase.ts';
import { wordpress } from './formats/wordpress.ts';

export const formats: readonly Format[] = [
  auth0,
  firebase,
  cognito,
  entra,
  django,
  wordpress,
  supabase,
  laravel,
  abp,
  keycloak,
  okta,
  betterAuth,
  latchkey,
];
