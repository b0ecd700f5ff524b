import { lazyDialog } from '@/ui/lazy';

/** State of the replica for SDKs; `open` if this deployment has one. */
export const ReplicaState = lazyDialog(() => import('./ReplicaText'), 'ReplicaText');
