import { Component, type ComponentProps, createRef } from 'react';

interface Props extends ComponentProps<'section'> {
  /** The user is editing the content. Otherwise, it moves like any other content. */
  isEdited: boolean;
}

/**
 * Section that stays in place in the window when an edit changes the height of the content above it. It scrolls the page
 * by the difference, or adds a margin if the page cannot scroll further up.
 *
 * The scroll anchoring of browsers does not do this: Safari has none, and Chromium has none at the top of a page or when
 * the padding of the page changes. It is a class, because no hook can read the layout before an update.
 */
export class KeepInPlace extends Component<Props> {
  private readonly section = createRef<HTMLElement>();

  override getSnapshotBeforeUpdate(): number {
    return this.getTop();
  }

  override componentDidUpdate(before: Props, _: unknown, top: number) {
    const style = this.section.current?.style;
    if (!style || !(before.isEdited || this.props.isEdited)) return;
    style.marginTop = '';
    scrollBy({ top: this.getTop() - top, behavior: 'instant' });
    const missing = top - this.getTop();
    if (missing > 0) style.marginTop = `${missing}px`;
  }

  private getTop(): number {
    return this.section.current?.getBoundingClientRect().top ?? 0;
  }

  override render() {
    const { isEdited: _, ...section } = this.props;
    return <section {...section} ref={this.section} />;
  }
}
