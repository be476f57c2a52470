// The examples that need only packages of the checkout. Those that install their own are in e2e/long.
// In the long form alone: it builds and starts an application for each example.
import { testExample } from './support/example.ts';

testExample({ name: 'express', packages: ['express'] });
testExample({ name: 'react', packages: ['react', 'react-dom', 'vite'], hasForm: true });
