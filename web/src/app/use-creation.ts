// The dialog of a list to create an entry. The command palette opens it from any page.
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** What the state of a location has so that the page opens the dialog. */
export const CREATION = { isCreating: true } as const;

/** @returns whether the dialog is open, and the function that opens or closes it. */
export function useCreation(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { state } = useLocation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const isAsked = state?.isCreating === true;
  useEffect(() => {
    if (!isAsked) return;
    setOpen(true);
    // The page does not open it again when it is loaded again.
    void navigate('.', { replace: true, state: null });
  }, [isAsked, navigate]);
  return [isOpen, setOpen];
}
