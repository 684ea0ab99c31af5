import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-rb-duplicate-key",
    language: "ruby",
    kind: "duplicate hash key",
    path: "lib/exporters/csv_exporter.rb",
    before: null,
    after: `# frozen_string_literal: true

require "csv"

module Exporters
  class CsvExporter
    COLUMNS = {
      id: "Number",
      name: "Name",
      email: "E-mail",
      city: "City",
      created_at: "Created",
      email: "Billing e-mail",
      country: "Country"
    }.freeze

    def initialize(customers)
      @customers = customers
    end

    def to_csv
      CSV.generate(col_sep: ";") do |csv|
        csv << COLUMNS.values
        @customers.each do |customer|
          csv << COLUMNS.keys.map { |key| customer.public_send(key) }
        end
      end
    end
  end
end
`,
    line: 13,
    also: [10],
    severity: "medium",
  },
  {
    id: "third-rb-rescue-exception",
    language: "ruby",
    kind: "rescue of Exception",
    path: "app/workers/feed_worker.rb",
    before: `# frozen_string_literal: true

class FeedWorker
  include Sidekiq::Worker

  sidekiq_options queue: :feeds, retry: 3

  def perform(feed_id)
    feed = Feed.find(feed_id)
    entries = FeedParser.new(feed.url).entries
    entries.each { |entry| import(feed, entry) }
    feed.update!(fetched_at: Time.current, error: nil)
  rescue FeedParser::Error => e
    Rails.logger.warn("feed #{feed_id} failed: #{e.message}")
    feed.update!(error: e.message)
  end

  private

  def import(feed, entry)
    feed.posts.find_or_create_by!(guid: entry.guid) do |post|
      post.title = entry.title
      post.body = entry.summary
      post.published_at = entry.published
    end
  end
end
`,
    after: `# frozen_string_literal: true

class FeedWorker
  include Sidekiq::Worker

  sidekiq_options queue: :feeds, retry: 3

  def perform(feed_id)
    feed = Feed.find(feed_id)
    entries = FeedParser.new(feed.url).entries
    entries.each { |entry| import(feed, entry) }
    feed.update!(fetched_at: Time.current, error: nil)
  rescue Exception => e
    Rails.logger.warn("feed #{feed_id} failed: #{e.message}")
    feed&.update!(error: e.message)
  end

  private

  def import(feed, entry)
    feed.posts.find_or_create_by!(guid: entry.guid) do |post|
      post.title = entry.title
      post.body = entry.summary
      post.published_at = entry.published
    end
  end
end
`,
    line: 13,
    severity: "medium",
  },
  {
    id: "third-rb-assignment-in-condition",
    language: "ruby",
    kind: "assignment in a condition",
    path: "app/policies/project_policy.rb",
    before: `# frozen_string_literal: true

class ProjectPolicy
  attr_reader :user, :project

  def initialize(user, project)
    @user = user
    @project = project
  end

  def show?
    project.public? || member?
  end

  def update?
    return false if project.archived?

    owner?
  end

  def destroy?
    owner? && !project.archived?
  end

  private

  def owner?
    project.owner_id == user.id
  end

  def member?
    project.members.exists?(user.id)
  end
end
`,
    after: `# frozen_string_literal: true

class ProjectPolicy
  attr_reader :user, :project

  def initialize(user, project)
    @user = user
    @project = project
  end

  def show?
    project.public? || member?
  end

  def update?
    return false if project.archived?

    if user.role = "manager"
      member?
    else
      owner?
    end
  end

  def destroy?
    owner? && !project.archived?
  end

  private

  def owner?
    project.owner_id == user.id
  end

  def member?
    project.members.exists?(user.id)
  end
end
`,
    line: 18,
    severity: "major",
  },
  {
    id: "third-rb-ensure-return",
    language: "ruby",
    kind: "return in ensure swallows exceptions",
    path: "lib/locks/file_lock.rb",
    before: null,
    after: `# frozen_string_literal: true

require "fileutils"

module Locks
  class FileLock
    class Busy < StandardError; end

    def initialize(path)
      @path = path
    end

    def synchronize
      FileUtils.mkdir_p(File.dirname(@path))
      file = File.open(@path, File::RDWR | File::CREAT, 0o644)
      begin
        raise Busy, @path unless file.flock(File::LOCK_EX | File::LOCK_NB)

        result = yield
      ensure
        file.flock(File::LOCK_UN)
        file.close
        return result
      end
    end

    def to_s
      "lock #{@path}"
    end
  end
end
`,
    line: 23,
    severity: "medium",
  },
  {
    id: "third-rb-sql-interpolation",
    language: "ruby",
    kind: "SQL injection",
    path: "app/controllers/articles_controller.rb",
    before: null,
    after: `# frozen_string_literal: true

class ArticlesController < ApplicationController
  before_action :authenticate_user!
  before_action :load_article, only: %i[show update]

  def index
    @articles = current_user.articles.order(created_at: :desc)
    if params[:q].present?
      @articles = @articles.where("title LIKE '%#{params[:q]}%'")
    end
    @articles = @articles.page(params[:page]).per(25)
  end

  def show; end

  def update
    if @article.update(article_params)
      redirect_to @article, notice: "Saved"
    else
      render :show, status: :unprocessable_entity
    end
  end

  private

  def load_article
    @article = current_user.articles.find(params[:id])
  end

  def article_params
    params.require(:article).permit(:title, :body)
  end
end
`,
    line: 10,
    severity: "major",
  },
  {
    id: "third-rb-marshal-cookie",
    language: "ruby",
    kind: "deserialization of a cookie",
    path: "app/controllers/concerns/table_settings.rb",
    before: `# frozen_string_literal: true

require "base64"
require "json"

module TableSettings
  extend ActiveSupport::Concern

  DEFAULTS = { "sort" => "name", "per_page" => 25 }.freeze

  included do
    helper_method :table_settings
  end

  def table_settings
    @table_settings ||= DEFAULTS.merge(stored_settings)
  end

  def store_table_settings(settings)
    cookies[:table] = { value: Base64.urlsafe_encode64(JSON.generate(settings)), expires: 1.year }
  end

  private

  def stored_settings
    return {} if cookies[:table].blank?

    JSON.parse(Base64.urlsafe_decode64(cookies[:table])).slice(*DEFAULTS.keys)
  rescue ArgumentError, JSON::ParserError
    {}
  end
end
`,
    after: `# frozen_string_literal: true

require "base64"

module TableSettings
  extend ActiveSupport::Concern

  DEFAULTS = { "sort" => "name", "per_page" => 25 }.freeze

  included do
    helper_method :table_settings
  end

  def table_settings
    @table_settings ||= DEFAULTS.merge(stored_settings)
  end

  def store_table_settings(settings)
    cookies[:table] = { value: Base64.urlsafe_encode64(Marshal.dump(settings)), expires: 1.year }
  end

  private

  def stored_settings
    return {} if cookies[:table].blank?

    Marshal.load(Base64.urlsafe_decode64(cookies[:table])).slice(*DEFAULTS.keys)
  rescue ArgumentError, TypeError
    {}
  end
end
`,
    line: 27,
    severity: "major",
  },
  {
    id: "third-rb-command-injection",
    language: "ruby",
    kind: "request input in a shell command",
    path: "app.rb",
    before: `# frozen_string_literal: true

require "sinatra"
require "json"

UPLOADS = File.expand_path("uploads", __dir__)
THUMBNAILS = File.expand_path("public/thumbnails", __dir__)

get "/health" do
  content_type :json
  { status: "ok" }.to_json
end

post "/thumbnails" do
  name = File.basename(params.fetch("name"))
  source = File.join(UPLOADS, name)
  halt 404, "no such image" unless File.file?(source)

  target = File.join(THUMBNAILS, "#{name}.png")
  ok = system("convert", source, "-resize", "200x200", target)
  halt 500, "conversion failed" unless ok

  content_type :json
  { url: "/thumbnails/#{name}.png" }.to_json
end
`,
    after: `# frozen_string_literal: true

require "sinatra"
require "json"

UPLOADS = File.expand_path("uploads", __dir__)
THUMBNAILS = File.expand_path("public/thumbnails", __dir__)

get "/health" do
  content_type :json
  { status: "ok" }.to_json
end

post "/thumbnails" do
  name = File.basename(params.fetch("name"))
  source = File.join(UPLOADS, name)
  halt 404, "no such image" unless File.file?(source)

  target = File.join(THUMBNAILS, "#{name}.png")
  size = params.fetch("size", "200x200")
  ok = system("convert '#{source}' -resize #{size} '#{target}'")
  halt 500, "conversion failed" unless ok

  content_type :json
  { url: "/thumbnails/#{name}.png" }.to_json
end
`,
    line: 21,
    severity: "major",
  },
  {
    id: "third-rb-not-null-migration",
    language: "ruby",
    kind: "NOT NULL column without a default on an existing table",
    path: "db/migrate/20240612081500_add_billing_to_accounts.rb",
    before: null,
    after: `# frozen_string_literal: true

class AddBillingToAccounts < ActiveRecord::Migration[7.1]
  def change
    create_table :billing_profiles do |t|
      t.string :company_name, null: false
      t.string :vat_number
      t.string :country, null: false, limit: 2
      t.timestamps
    end

    add_column :accounts, :billing_email, :string, null: false
    add_reference :accounts, :billing_profile, foreign_key: true
  end
end
`,
    line: 12,
    severity: "medium",
  },
];
