import { ROOT_CONTEXT, trace } from '@opentelemetry/api';

import { contextOf, traceHeaders } from './trace-parent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([
    ['sampled', `00-${TRACE}-${SPAN}-01`, 1],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, 0],
    ['of a later version that says more', `42-${TRACE}-${SPAN}-01-what-else`, 1],
  ])('that is %s is the parent', (_what, header, traceFlags) => {
    expect(trace.getSpanContext(contextOf(header))).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      traceFlags,
      isRemote: true,
    });
  });

  it.each([
    ['absent', undefined],
    ['no such header', 'hello'],
    ['of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['longer than its version allows', `00-${TRACE}-${SPAN}-01-more`],
  ])('that is %s begins a new trace', (_what, header) => {
    expect(contextOf(header)).toBe(ROOT_CONTEXT);
  });

  it('is written as it is read', () => {
    const header = `00-${TRACE}-${SPAN}-01`;
    expect(traceHeaders(trace.getSpan(contextOf(header))!)).toEqual({ traceparent: header });
  });
});
