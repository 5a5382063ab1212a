import type { JudgeTruthDto } from '@hone/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useSpecs } from '../annotation/use-specs.js';
import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { objectRef } from '../data/refs.js';
import type { NewQuestion } from './question.js';
import { ANNOTATION } from './truth.js';
import { type TruthChoice, useTruth } from './use-truth.js';

/** What people will be asked, which is stored once a queue asks it. */
export interface QuestionChoice {
  readonly choice: TruthChoice;
  /** What is chosen: a type of feedback; '': a new question. */
  readonly type: string;
  readonly choose: (type: string) => void;
  /** Where the labels are, or will be; null: it is not ready. */
  readonly truth: JudgeTruthDto | null;
  /** Stores the question if it is new. @returns where the labels will be, and the ref of what annotators are asked */
  readonly ensure: () => Promise<{ readonly truth: JudgeTruthDto; readonly ref: string }>;
}

/** A choice among what people are asked in the project, and the question itself. */
export function useQuestion(question: NewQuestion): QuestionChoice {
  const project = useProject();
  const queries = useQueryClient();
  const choice = useTruth();
  const specs = useSpecs();
  const [chosen, setChosen] = useState<string | null>(null);
  const own = ANNOTATION + question.id;
  const isKnown = (type: string) => specs.data?.some(({ name }) => ANNOTATION + name === type) ?? false;
  const labelled = choice.source?.type ?? '';
  const type = chosen ?? (isKnown(labelled) ? labelled : isKnown(own) ? own : '');
  const isChosen = choice.source !== undefined && type === choice.source.type;
  const truth = type === '' ? { feedback_type: own } : isChosen ? choice.truth : { feedback_type: type };
  const ensure = async () => {
    const found = specs.data?.find(({ name }) => ANNOTATION + name === (truth?.feedback_type ?? ''));
    if (found && truth) return { truth, ref: found.ref };
    const { id, title, description, schema } = question;
    const obj = {
      ...{ project_id: project.id, object_id: id, builtin_object_class: 'AnnotationSpec' as const },
      val: { name: title, description, field_schema: schema },
    };
    const { digest } = await hone.trace.createObject({ obj });
    await queries.invalidateQueries({ queryKey: ['annotation specs', project.id] });
    return { truth: { feedback_type: own }, ref: objectRef(project.id, id, digest) };
  };
  return { ...{ choice, type, truth, ensure }, choose: setChosen };
}
