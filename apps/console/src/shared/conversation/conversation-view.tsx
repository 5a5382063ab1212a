import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';

import { MessageBody } from '../chat/chat-view.js';
import { formatCount } from '../format/format.js';
import { isMarkdown } from '../markdown/block.js';
import type { Trace, TreeRow } from '../trace/trace-query.js';
import { titleOf } from '../trace/trace-query.js';
import { Button } from '../ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../ui/notes.js';
import type { Conversation, Item } from './conversation.js';
import styles from './conversation.module.css';
import { ToolCallView } from './tool-call-view.js';
import { useConversation } from './use-conversation.js';

/** Pixels of a message before it is measured. */
const USUAL_HEIGHT = 120;
/** More calls are read when so few messages are left below. */
const AHEAD = 10;

interface Props {
  readonly trace: Trace;
  readonly selected: string;
  readonly select: (id: string) => void;
}

/** What was said in all model calls of a trace, each message once, with the results of tools beside their calls. */
export function ConversationView({ trace, selected, select }: Props) {
  const reading = useConversation(trace.traceId, trace.rows);
  const { items, conversation, read, total, error, isReading, hasMore, readMore } = reading;
  const [isFormatted, setIsFormatted] = useState(true);
  const rows = useMemo(() => new Map(trace.rows.map((row) => [row.id, row])), [trace.rows]);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => USUAL_HEIGHT,
    overscan: 4,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  const isNearEnd = last >= items.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && hasMore && !isReading && error === null) readMore();
  });
  if (error !== null && items.length === 0) return <ErrorNote error={error} retry={reading.retry} />;
  if (items.length === 0 && (isReading || hasMore)) return <Loading what="messages" />;
  if (items.length === 0)
    return (
      <EmptyNote title="No messages in this trace">
        <p>No call that has ended was sent messages, as chat completions, Responses and Messages have them.</p>
      </EmptyNote>
    );
  return (
    <div className={styles['view']}>
      <div className={styles['tools']}>
        <span role="status" className={styles['muted']}>
          {formatCount(items.length)} messages of {formatCount(read)} {read === 1 ? 'call' : 'calls'}
          {total !== null && total > read && `, ${formatCount(total - read)} more are read as you scroll`}
        </span>
        {items.some(({ turn }) => turn !== null && isMarkdown(turn.text)) && (
          <Button aria-pressed={!isFormatted} onClick={() => setIsFormatted(!isFormatted)}>
            As it was sent
          </Button>
        )}
      </div>
      {/* Reached by keys also where nothing in it is. */}
      <div ref={scroll} className={styles['scroll']} role="region" aria-label="Messages of the trace" tabIndex={0}>
        <ol className={styles['list']} aria-label="Conversation" style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const item = items[index] as Item;
            return (
              <li
                key={index}
                data-index={index}
                ref={virtual.measureElement}
                className={styles['item']}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={hasMore ? -1 : items.length}
                aria-posinset={index + 1}
              >
                <ItemView
                  {...{ item, conversation, isFormatted, select }}
                  row={rows.get(item.callId)}
                  isSelected={item.callId === selected}
                />
              </li>
            );
          })}
        </ol>
        {error !== null && <ErrorNote error={error} retry={reading.retry} />}
      </div>
    </div>
  );
}

interface ItemProps {
  readonly item: Item;
  readonly conversation: Conversation;
  readonly isFormatted: boolean;
  readonly isSelected: boolean;
  readonly row: TreeRow | undefined;
  readonly select: (id: string) => void;
}

function ItemView({ item, conversation, isFormatted, isSelected, row, select }: ItemProps) {
  const { callId, isFirst, repeated, turn, toolCalls } = item;
  return (
    <>
      {isFirst && (
        <div className={styles['from']}>
          <button type="button" className={styles['call']} aria-pressed={isSelected} onClick={() => select(callId)}>
            {row ? titleOf(row) : callId}
          </button>
          {repeated > 0 && (
            <span className={styles['muted']}>
              repeats {formatCount(repeated)} {repeated === 1 ? 'message' : 'messages'}
            </span>
          )}
          {turn === null && <span className={styles['muted']}>says nothing new</span>}
          {row?.status === 'error' && <span className={styles['failed']}>failed</span>}
        </div>
      )}
      {turn !== null && (
        <div className={styles['message']} data-role={turn.role} data-selected={isSelected}>
          <MessageBody turn={turn} isFormatted={isFormatted} />
          {toolCalls.map((call) => (
            <ToolCallView
              key={call.number}
              call={call}
              result={conversation.results.get(call.number)}
              select={select}
            />
          ))}
        </div>
      )}
    </>
  );
}
