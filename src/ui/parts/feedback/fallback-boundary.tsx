import { Component, type ReactNode } from 'react';

/** The content, and what replaces it when it fails. */
export interface FallbackBoundaryProps {
  readonly children: ReactNode;
  readonly fallback: ReactNode;
}

/** Shows the fallback where a part fails, such as a chart whose code did not load; the rest of the page works on. */
export class FallbackBoundary extends Component<FallbackBoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
