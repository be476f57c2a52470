# A server with OmniAuth's strategy for OpenID Connect.
require 'json'
require 'omniauth_openid_connect'
require 'rack'

issuer = ENV.fetch('ISSUER')
origin = "http://localhost:#{ENV.fetch('PORT')}"
# It finds providers by https only, unless it is told otherwise.
SWD.url_builder = URI::HTTP
OmniAuth.config.allowed_request_methods = [:get]
OmniAuth.config.silence_get_warning = true

person = nil
pages = lambda do |env|
  case env['PATH_INFO']
  when '/login' then [302, { 'location' => '/auth/latchkey' }, []]
  when '/auth/latchkey/callback'
    claims = env['omniauth.auth'].extra.raw_info
    person = { sub: claims['sub'], email: claims['email'], groups: claims['groups'] }
    [302, { 'location' => '/' }, []]
  else [200, { 'content-type' => 'application/json' }, [person.to_json]]
  end
end

app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 'a secret of at least thirty-two characters'
  use OmniAuth::Builder do
    provider :openid_connect, {
      name: :latchkey, issuer: issuer, discovery: true, response_type: :code, pkce: true,
      scope: %i[openid profile email roles],
      client_options: {
        scheme: 'http', host: URI(issuer).host, port: URI(issuer).port,
        identifier: ENV.fetch('CLIENT_ID'), secret: ENV.fetch('CLIENT_SECRET'),
        redirect_uri: "#{origin}/auth/latchkey/callback"
      }
    }
  end
  run pages
end
Rack::Handler::WEBrick.run(app, Host: 'localhost', Port: ENV.fetch('PORT').to_i)
