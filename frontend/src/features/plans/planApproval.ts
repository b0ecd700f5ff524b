// Plans that another person than the maker must apply (`apply-needs-another-person`). Flagdeck signs a plan as made by the user, and
// decides whether the user may apply it.
import { type Write, write } from '@/api/client';
import { approvePlan, checkPlan, signPlan } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { ApprovalRequest, PlanApproval, PlanReview, PlanSignature } from '@/api/generated/types';
import { toJson } from '@/lib/copyFormats';
import { saveFile } from '@/lib/saveFile';
import { userSignal } from '@/lib/store';
import { openPlan, updatePlan } from './planState';

/** The reason why the user may not apply a plan. */
interface PlanRefusal {
  refusal: string;
  /** The plan has no signature: the user can save it as its maker. */
  canSign: boolean;
}

/** Whether the user may apply a plan. */
export type PlanPermission = PlanApproval | PlanRefusal;

type Reviewed = Pick<PlanReview, 'plan' | 'digest' | 'isStored' | 'needsAnotherPerson'>;

/** Returns whether the user may apply a plan; undefined if plans need no other person. */
export async function readPermission(review: Reviewed): Promise<PlanPermission | undefined> {
  if (!review.needsAnotherPerson) return undefined;
  const refusal =
    'Another person must apply these changes. Save the plan, and give the file to a person who may apply it.';
  return review.isStored ? ask(checkPlan, review) : { refusal, canSign: true };
}

/** Does the same before the first change of a plan; the journal gets a line. */
export async function requestApproval(review: Reviewed): Promise<PlanPermission | undefined> {
  return review.needsAnotherPerson ? ask(approvePlan, review) : undefined;
}

async function ask(
  endpoint: Write<ApprovalRequest, PlanApproval>,
  { plan, digest }: Reviewed,
): Promise<PlanPermission> {
  const { signature = null } = Object(plan) as { signature?: PlanSignature | null };
  try {
    const approval = await write(endpoint, { digest, signature });
    if (approval === undefined) throw new Error('Flagdeck did not send whether you may apply the plan. Try again.');
    return approval;
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status !== 403) throw failure;
    if (codeOf(failure) !== 'plan_unsigned') return { refusal: `${failure.message}.`, canSign: false };
    const refusal =
      'The plan has no signature, so that its maker is unknown. Save it as your plan; another person must apply it.';
    return { refusal, canSign: true };
  }
}

function codeOf({ body }: ApiError): unknown {
  return (Object(body) as { code?: unknown }).code;
}

/** Signs the open plan as made by the user, and saves it as a file. */
export async function savePlan(review: PlanReview): Promise<void> {
  const user = userSignal();
  const signature = await write(signPlan, { digest: review.digest });
  user.throwIfAborted();
  if (signature === undefined) throw new Error('Flagdeck did not send a signature. Try again.');
  const plan = { ...Object(review.plan), signature };
  saveFile('plan.json', 'application/json', `${toJson(plan)}\n`);
  const open = openPlan.get();
  // The user has closed the plan or opened another one meanwhile.
  if (open?.reviewed.review !== review) return;
  updatePlan({
    reviewed: { ...open.reviewed, review: { ...review, plan, isStored: true } },
    permission: {
      refusal: 'You made this plan. Another person can open the saved file on this page and apply it.',
      canSign: false,
    },
  });
}
