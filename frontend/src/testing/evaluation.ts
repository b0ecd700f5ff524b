// Responds to evaluations like the server, for few strategies: the tests of the server prove its results, those of the console what
// it shows of them. The values of `BUCKETS` and of the variants are recorded responses.
import type {
  ConstraintReason,
  ContextResult,
  EvaluateRequest,
  EvaluationResult,
  Explanation,
  RuleReason,
  Strategy,
  StrategyReason,
  Toggle,
  ToggleResult,
  VariantReason,
} from '@/api/generated/types';
import type { FakeServer } from './fakeServer';
import type { ResponseData } from './responses';

/** The request of an evaluation, as in `FakeServer.count`. */
export const EVALUATE = 'POST -/evaluate';

/** Positions of ids in the group `shop.basket`, from 1 to 100. */
const BUCKETS: Readonly<Record<string, number>> = { ada: 7, grace: 95, 'user-0': 90, jürgen: 63 };

type Context = Readonly<Record<string, unknown>>;
type Evaluated = Pick<Toggle, 'name' | 'enabled' | 'strategies' | 'variants'>;

/** Selects the variant of a toggle that is on. */
type SelectVariant = (request: EvaluateRequest, toggle: Evaluated) => { variant: string; reason: VariantReason };

/** Selects the only variant with a weight. */
const selectSingle: SelectVariant = (_, { variants }) => ({
  variant: variants?.find(({ weight }) => weight === 1000)?.name ?? '',
  reason: { ofStrategy: false, certain: true, selection: { code: 'single' } },
});

/** Declares the responses to evaluations of one context. `stored` are the toggles of the embedded flag service. */
export function serveEvaluation(
  server: FakeServer,
  { stored = [], selectVariant = selectSingle }: { stored?: readonly Evaluated[]; selectVariant?: SelectVariant } = {},
): void {
  server.on(EVALUATE, ({ body }) => {
    const request = body as EvaluateRequest;
    const [context = {}] = request.contexts;
    const value = Object.values(context).find((one) => String(one).length > 1000);
    if (value !== undefined)
      return refuseEvaluation(
        `The request has ${String(value).length} bytes in a context value; the maximum is 1000: shorten the value`,
      );
    const toggles = (request.toggles as Evaluated[] | undefined) ?? stored;
    const compared = (request.compare as Evaluated[] | undefined) ?? [];
    const evaluate = (toggle: Evaluated) => {
      const result = explain(toggle, context);
      const isServed = result.result !== 'off' && (toggle.variants ?? []).length > 0;
      if (!isServed || !result.reasons) return result;
      const { variant, reason } = selectVariant(request, toggle);
      return { ...result, variant, reasons: { ...result.reasons, variant: reason } };
    };
    const results = (request.names ?? toggles.map(({ name }) => name)).flatMap((name): ToggleResult[] => {
      const saved = toggles.find((toggle) => toggle.name === name);
      const edited = compared.find((toggle) => toggle.name === name);
      if (!saved) return [];
      return [{ name, saved: toSide(evaluate(saved)), ...(edited && { edited: toSide(evaluate(edited)) }) }];
    });
    return { body: { toggles: results } };
  });
}

/** The response to a request above a limit. */
export function refuseEvaluation(message: string): ResponseData {
  const code = 'too_much_work';
  return { status: 413, headers: { 'x-flagdeck-error': code }, body: { code, message } };
}

function toSide(result: ContextResult) {
  const counts = { off: 0, on: 0, application: 0, random: 0, [result.result]: 1 };
  return { counts, variants: [], contexts: [result] };
}

function explain({ enabled, strategies: all }: Evaluated, context: Context): ContextResult {
  const strategies = all.map((strategy) => explainStrategy(strategy, context));
  const end = (result: EvaluationResult, decision: Explanation['decision']): ContextResult => ({
    result,
    reasons: { decision, parents: [], strategies },
  });
  if (!enabled) return end('off', 'toggleDisabled');
  const strategy = strategies.findIndex(({ result }) => result !== 'off');
  const deciding = strategies[strategy];
  if (!deciding) return end('off', 'noStrategyMatches');
  const { result, probability } = deciding;
  const reasons: Explanation = { decision: 'strategyMatches', strategy, parents: [], strategies };
  return { result, ...(probability !== undefined && { probability }), reasons };
}

function explainStrategy({ name, parameters, constraints: all = [] }: Strategy, context: Context): StrategyReason {
  const constraints = (all ?? []).map(({ contextName, values }): ConstraintReason => {
    const value = context[contextName];
    if (value === undefined) return { field: contextName, matches: false };
    return { field: contextName, value: String(value), matches: values?.includes(String(value)) ?? false };
  });
  const { rule, ...outcome } = explainRule(name, parameters ?? {}, context);
  const isOff = constraints.some(({ matches }) => !matches);
  return { name, ...(isOff ? { result: 'off' } : outcome), disabled: false, rule, constraints, segments: [] };
}

interface Outcome {
  result: EvaluationResult;
  probability?: number;
  rule: RuleReason;
}

function explainRule(name: string, parameters: Readonly<Record<string, unknown>>, context: Context): Outcome {
  const [value] = [context['userId']].map((id) => (id === undefined ? undefined : String(id)));
  switch (name) {
    case 'default':
      return { result: 'on', rule: { code: 'always' } };
    case 'userWithId': {
      if (value === undefined) return { result: 'off', rule: { code: 'notListed' } };
      const isListed = String(parameters['userIds']).split(',').includes(value);
      return { result: isListed ? 'on' : 'off', rule: { code: isListed ? 'listed' : 'notListed', value } };
    }
    case 'flexibleRollout': {
      const percentage = Number(parameters['rollout']);
      const field = 'userId';
      if (value === undefined) return { result: 'off', rule: { code: 'missingField', field, percentage } };
      const bucket = BUCKETS[value] ?? Number.NaN;
      const group = String(parameters['groupId']);
      const result = bucket <= percentage ? 'on' : 'off';
      return { result, rule: { code: 'bucket', field, value, group, bucket, percentage } };
    }
    case 'gradualRolloutRandom': {
      const percentage = Number(parameters['percentage']);
      return { result: 'random', probability: percentage / 100, rule: { code: 'random', percentage } };
    }
    default:
      return { result: 'application', rule: { code: 'application' } };
  }
}
