// app/layout.jsx
export default ({ children }) => (
  <html lang="en">
    <body>{children}</body>
  </html>
);
