import type { MetricFamily, MetricSample } from '#http/observe/metric-text.ts'

export const gauge = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples
})

export const counter = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
  name,
  help,
  type: 'counter',
  samples
})

export const one = (value: number): MetricSample[] => [{ value }]
