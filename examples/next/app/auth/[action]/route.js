// app/auth/[action]/route.js
import { handlers } from '../../../sessions';

export const { GET, POST } = handlers;
