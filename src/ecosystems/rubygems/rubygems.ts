/** rubygems.org, and the dependency files of Ruby. */
import type { Ecosystem } from "../ecosystem.ts";
import { GEM_ORDER } from "./gem-order.ts";
import { GEMFILE_LOCK } from "./gemfile-lock.ts";
import { gemfileSources } from "./gemfile-sources.ts";
import { GEMFILE } from "./gemfile.ts";
import { GEMSPEC } from "./gemspec.ts";

export const RUBYGEMS: Ecosystem = {
  formats: [GEMFILE, GEMSPEC, GEMFILE_LOCK],
  sources: [gemfileSources],
  order: GEM_ORDER,
  advisoryNames: { osv: "RubyGems", github: "rubygems" },
  publicHosts: ["rubygems.org"],
  publicSources: ["www.rubygems.org", "index.rubygems.org"],
  publicAlias: "rubygems",
  hasFixedNeeds: true,
  popularNames: `rails activesupport activerecord actionpack nokogiri bundler rspec rspec-core devise sidekiq puma-dev sinatra capybara rubocop
    factory_bot faraday httparty rest-client json-schema jwt-auth omniauth pundit cancancan kaminari carrierwave redis resque
    aws-sdk aws-sdk-s3 bootsnap webpacker sprockets sassc-rails mysql2 sqlite3 activeadmin atlas-client rack-cache`,
};
