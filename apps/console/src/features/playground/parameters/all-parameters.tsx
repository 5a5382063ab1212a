import { useQuery } from '@tanstack/react-query';

import page from '../../../shared/page/page.module.css';
import { Table } from '../../../shared/page/table.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { type OpenApi, parametersOf } from './interface-parameters.js';

const COLUMNS = [{ name: 'Parameter' }, { name: 'Meaning', kind: 'wide' }, { name: 'Add', isHidden: true }] as const;

interface Props {
  /** Of the bodies that they belong to, in the OpenAPI document. */
  readonly schema: string;
  readonly add: (name: string, value: unknown) => void;
}

/** Every parameter of a request with its meaning, as the interface itself describes it. */
export function AllParameters({ schema, add }: Props) {
  const found = useQuery({
    queryKey: ['parameters of a request', schema],
    queryFn: async ({ signal }) => {
      const answer = await fetch('/openapi.json', { signal });
      if (!answer.ok) throw new Error(`The description of the interface is not there: status ${answer.status}.`);
      return parametersOf((await answer.json()) as OpenApi, schema);
    },
    staleTime: Infinity,
  });
  if (found.error) return <ErrorNote error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading what="parameters" />;
  return (
    <Table label="All parameters" columns={COLUMNS}>
      {found.data.map(({ name, meaning, initial }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td className={page['muted']}>{meaning}</td>
          <td>
            <Button aria-label={`Add ${name}`} onClick={() => add(name, initial)}>
              Add
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
