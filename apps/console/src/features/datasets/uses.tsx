import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { parseRef, shortRef } from '../../shared/data/refs.js';
import { Dialog } from '../../shared/dialog/dialog.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';

const COLUMNS = [{ name: 'Evaluation', kind: 'wide' }, { name: 'Version of the dataset' }] as const;

/** Which evaluations ask models the rows of the dataset. */
export function Uses({ objectId }: { readonly objectId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Used by</Button>
      {isOpen && (
        <Dialog title="Evaluations that use the dataset" close={() => setIsOpen(false)}>
          <Evaluations objectId={objectId} />
        </Dialog>
      )}
    </>
  );
}

function Evaluations({ objectId }: { readonly objectId: string }) {
  const project = useProject();
  const uses = useQuery({
    queryKey: ['dataset uses', project.id, objectId],
    queryFn: async ({ signal }) => {
      const found = [];
      const params = { entity: project.entity, project: project.name };
      for await (const one of hone.trace.listEvaluations(params, { signal })) {
        const dataset = parseRef(one.dataset);
        if (dataset?.name === objectId && dataset.projectId === project.id) found.push(one);
      }
      return found;
    },
  });
  if (uses.error) return <ErrorNote error={uses.error} retry={() => void uses.refetch()} />;
  if (!uses.data) return <Loading what="evaluations" />;
  if (uses.data.length === 0)
    return (
      <EmptyNote title="No evaluation uses it">
        <p>Evaluations that ask models its rows would be here.</p>
      </EmptyNote>
    );
  return (
    <Table label="Evaluations" columns={COLUMNS}>
      {uses.data.map(({ object_id, name, dataset, version_index }) => (
        <tr key={object_id}>
          <td>
            <Link to={project.path(`evaluations?evaluation=${encodeURIComponent(object_id)}`)}>{name}</Link>{' '}
            <span className={page['muted']}>v{version_index}</span>
          </td>
          <td>{shortRef(dataset)}</td>
        </tr>
      ))}
    </Table>
  );
}
