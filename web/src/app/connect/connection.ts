// What programs need to call the service: its address, and the origins whose pages may call it.
import { useQuery } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';

export const useConnection = () =>
  useQuery({ queryKey: ['connection'], queryFn: () => latchkey.call('FrontEndApp/GetConnection') });
