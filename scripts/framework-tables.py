#!/usr/bin/env python3
"""Makes tables with Django and SQLAlchemy, and prints their SQL and how they keep values.

The tests of adopted tables (Tests/EndToEndTests/FrameworkTableTests.swift) stand on what this prints. To try a table
that Sluice has written, give the file: both programs read it and print the values that they find.

    python3 -m venv venv && venv/bin/pip install django sqlalchemy
    venv/bin/python scripts/framework-tables.py [django|sqlalchemy] [FILE]
"""

import datetime
import os
import sqlite3
import sys
import tempfile
import uuid
from decimal import Decimal

UTC = datetime.timezone.utc
VALUES = {
    "code": uuid.UUID("9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"),
    "name": "a",
    "price": Decimal("12.50"),
    "day": datetime.date(2024, 1, 2),
    "active": True,
    "data": {"a": [1, None]},
}


def django(path, is_new):
    import django as package
    from django.conf import settings
    from django.db import connection, models

    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": path}
    settings.configure(DATABASES={"default": database}, USE_TZ=True, INSTALLED_APPS=[])
    package.setup()

    class Item(models.Model):
        id = models.BigAutoField(primary_key=True)
        code = models.UUIDField(unique=True)
        name = models.CharField(max_length=100)
        price = models.DecimalField(max_digits=10, decimal_places=2, null=True)
        made = models.DateTimeField(null=True)
        day = models.DateField(null=True)
        active = models.BooleanField(null=True)
        data = models.JSONField(null=True)

        class Meta:
            app_label = "shop"
            db_table = "items"

    if is_new:
        with connection.schema_editor() as editor:
            editor.create_model(Item)
        Item.objects.create(id=1, made=datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), **VALUES)
    for item in Item.objects.order_by("id"):
        print(item.id, item.code, item.name, item.price, item.made, item.day, item.active, item.data)
    for item in Item.objects.all():
        # What is found by its value is stored as Django stores it.
        assert Item.objects.filter(code=item.code, made=item.made, price=item.price).count() == 1 or item.made is None


def sqlalchemy(path, is_new):
    import sqlalchemy as sa

    engine = sa.create_engine("sqlite:///" + path)
    table = sa.Table(
        "items", sa.MetaData(), sa.Column("id", sa.Integer, primary_key=True), sa.Column("code", sa.Uuid, unique=True),
        sa.Column("name", sa.String(100), nullable=False), sa.Column("price", sa.Numeric(10, 2)),
        sa.Column("made", sa.DateTime), sa.Column("day", sa.Date), sa.Column("active", sa.Boolean),
        sa.Column("data", sa.JSON), sa.Column("token", sa.UUID))
    with engine.begin() as connection:
        if is_new:
            table.metadata.create_all(connection)
            made = datetime.datetime(2024, 1, 2, 3, 4, 5)
            connection.execute(table.insert().values(id=1, made=made, token=VALUES["code"], **VALUES))
        for row in connection.execute(table.select().order_by(table.c.id)).all():
            print(*row)
            found = connection.execute(
                table.select().where(
                    table.c.code == row.code, table.c.made == row.made, table.c.price == row.price,
                    table.c.token.is_not_distinct_from(row.token)))
            assert len(found.all()) == 1 or row.made is None


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "django"
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(tempfile.mkdtemp(), "shop.db")
    is_new = not os.path.exists(path)
    {"django": django, "sqlalchemy": sqlalchemy}[name](path, is_new)
    for (sql,) in sqlite3.connect(path).execute("SELECT sql FROM sqlite_schema WHERE name = 'items'"):
        print(sql)
    columns = [row[1] for row in sqlite3.connect(path).execute("PRAGMA table_info(items)")]
    for row in sqlite3.connect(path).execute(f"SELECT {', '.join(f'quote({c})' for c in columns)} FROM items"):
        print(row)


main()
