// A box to check, of the browser itself: the first view of the sign-in pages has it, and that of Mantine is 3 kB.
export function Check(props: { name: string; label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  const { name, label, checked, onChange } = props;
  return (
    <label className="check">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
