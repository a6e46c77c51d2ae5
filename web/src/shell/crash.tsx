import { Component, type ReactNode } from 'react';
import { Mark } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

interface Props {
  /** Where we are; going elsewhere tries again. */
  place: string;
  children: ReactNode;
}

/** Shown when a page could not be drawn or loaded, such as after a new version was put out. */
export class Crash extends Component<Props, { brokenPlace: string | null }> {
  override state: { brokenPlace: string | null } = { brokenPlace: null };

  static getDerivedStateFromError(): { brokenPlace: string } {
    return { brokenPlace: location.pathname };
  }

  override render(): ReactNode {
    return this.state.brokenPlace === this.props.place ? <Broken /> : this.props.children;
  }
}

function Broken() {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center"
    >
      <Mark className="size-12" />
      <h1 className="text-head">{say('Something Went wrong, try again later.')}</h1>
      <p className="max-w-[44ch] text-ink-2">
        {say('This page could not be shown. Load it again; what you did before is safe.')}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <button type="button" className="btn btn-main" onClick={() => location.reload()}>
          {say('Load again')}
        </button>
        <a className="btn btn-line" href="/">
          {say('Navigate Home')}
        </a>
      </div>
    </main>
  );
}
