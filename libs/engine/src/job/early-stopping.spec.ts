import { freshState } from '../train/trainer.js';
import { EarlyStopping } from './early-stopping.js';

const stateOf = (k: number) => ({ ...freshState(Float32Array.of(k)), updates: k });

/** The losses of steps 1, 2, … until it stops. */
function watch(losses: number[], settings = { patience: 2, min_delta: 0 }) {
  const stopping = new EarlyStopping(settings);
  const taken = losses.findIndex((loss, index) => {
    stopping.record(index + 1, loss, stateOf(index + 1));
    return stopping.rule.hasStopped;
  });
  return { stopping, taken: taken < 0 ? losses.length : taken + 1, kept: stopping.kept };
}

describe('EarlyStopping', () => {
  it('stops after as many evaluations without a lower loss as its patience', () => {
    const { taken, kept, stopping } = watch([3, 2, 2.5, 2, 1]);
    expect([taken, kept]).toEqual([4, { state: stateOf(2), k: 2 }]);
    expect(stopping.rule.metrics).toEqual({ best_validation_loss: 2, stopped_after_step: 4 });
  });

  it('counts anew after each lower loss', () => {
    expect(watch([3, 4, 2, 4, 1, 4]).taken).toBe(6);
    expect(watch([3, 4, 2, 4, 1, 4]).stopping).toMatchObject({
      rule: { hasStopped: false, metrics: { best_validation_loss: 1 } },
    });
  });

  it('takes a loss as lower only by more than min_delta', () => {
    expect(watch([3, 2.6, 2.5], { patience: 2, min_delta: 0.5 })).toMatchObject({ taken: 3, kept: { k: 1 } });
    expect(watch([3, 2.4], { patience: 1, min_delta: 0.5 })).toMatchObject({ kept: { k: 2 } });
  });

  it('takes a loss that is not finite as no improvement, and keeps nothing while there is none', () => {
    expect(watch([NaN, Infinity, 1])).toMatchObject({ taken: 2, kept: null });
    expect(watch([NaN, Infinity]).stopping.rule.metrics).toEqual({ stopped_after_step: 2 });
    expect(watch([NaN, 1, NaN]).kept?.k).toBe(2);
    expect(new EarlyStopping({ patience: 1, min_delta: 0 }).rule.metrics).toEqual({});
  });

  it('goes on from what it saved as if nothing had happened', () => {
    const losses = [3, 2, 2.5, 1.5, 1.6, 1.7];
    for (let cut = 0; cut < losses.length; cut++) {
      const first = new EarlyStopping({ patience: 2, min_delta: 0 });
      losses.slice(0, cut).forEach((loss, index) => first.record(index + 1, loss, stateOf(index + 1)));
      const current = stateOf(cut);
      const { progress, best } = first.toSave(first.kept?.k === cut ? first.kept.state : current);
      const second = new EarlyStopping({ patience: 2, min_delta: 0 }, progress, best ?? first.kept?.state ?? null);
      losses.slice(cut).forEach((loss, index) => second.record(cut + index + 1, loss, stateOf(cut + index + 1)));
      expect([second.rule.hasStopped, second.kept?.k, second.rule.metrics]).toEqual([
        true,
        4,
        { best_validation_loss: 1.5, stopped_after_step: 6 },
      ]);
    }
  });

  it('does not save the best state twice when it is the current one', () => {
    const { stopping, kept } = watch([3, 2]);
    expect(stopping.toSave(kept!.state).best).toBeNull();
    expect(stopping.toSave(stateOf(9)).best).toBe(kept!.state);
  });

  it('keeps the best state when its memory is used again', () => {
    const state = stateOf(1);
    const stopping = new EarlyStopping({ patience: 2, min_delta: 0 });
    stopping.record(1, 3, state);
    for (const vector of [state.parameters, state.firstMoment, state.secondMoment]) vector.fill(7);
    expect(stopping.kept?.state).toEqual(stateOf(1));
  });
});
