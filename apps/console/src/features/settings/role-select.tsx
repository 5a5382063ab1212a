import { type Role, ROLES } from '../../shared/data/role.js';
import { Select } from '../../shared/ui/input.js';

interface RoleProps {
  readonly label: string;
  readonly role: Role;
  readonly onChoose: (role: Role) => void;
}

/** What a member may do. */
export const RoleSelect = ({ label, role, onChoose }: RoleProps) => (
  <Select aria-label={label} value={role} onChange={({ target }) => onChoose(target.value as Role)}>
    {ROLES.map((one) => (
      <option key={one}>{one}</option>
    ))}
  </Select>
);
